import type { Messages } from '@lingui/core';
import { i18n } from '@lingui/core';
import { LanguageTexts } from './language-texts.ts';
import { loadServiceTexts } from './service-text.ts';
import type { Language } from './words.ts';

interface Loaded {
  readonly messages: Messages;
}

/** Each catalogue is a file of its own, loaded when its language is chosen; that of the settings, when they are opened. */
const CATALOGUES = {
  words: {
    en: () => import('./locales/en/words.po'),
    fr: () => import('./locales/fr/words.po'),
    ar: () => import('./locales/ar/words.po'),
  },
  settings: {
    en: () => import('./locales/en/settings.po'),
    fr: () => import('./locales/fr/settings.po'),
    ar: () => import('./locales/ar/settings.po'),
  },
} satisfies Record<string, Record<Language, () => Promise<Loaded>>>;
const texts = new LanguageTexts<keyof typeof CATALOGUES, Language, Loaded>(CATALOGUES, 'words', 'en');

/**
 * Loads a language and turns the page to its direction. Other code asks `i18n` for texts and `locale()` for formats. Resolves to
 * whether it is shown: not where another was chosen since.
 */
export async function activateLanguage(language: Language): Promise<boolean> {
  const loaded = await texts.choose(language);
  if (loaded === undefined) return false;
  const messages: Messages = Object.fromEntries(loaded.flatMap((part) => Object.entries(part.messages)));
  i18n.loadAndActivate({ locale: language, messages });
  loadServiceTexts(language);
  document.documentElement.lang = language;
  document.documentElement.dir = language === 'ar' ? 'rtl' : 'ltr';
  return true;
}

/** Loads the code of a screen together with the texts that it alone shows. */
export async function withTexts<Code>(
  catalogue: keyof typeof CATALOGUES,
  load: () => Promise<Code>,
): Promise<Code> {
  const code = load();
  await texts.open(catalogue, (language, { messages }) => i18n.load(language, messages));
  return code;
}
