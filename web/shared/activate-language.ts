import type { Messages } from '@lingui/core';
import { i18n } from '@lingui/core';
import { loadServiceTexts } from './service-text.ts';
import type { Language } from './words.ts';

type Load = () => Promise<{ readonly messages: Messages }>;

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
} satisfies Record<string, Record<Language, Load>>;
type Catalogue = keyof typeof CATALOGUES;

/** Those whose texts the screens that were opened need. */
const opened = new Set<Catalogue>(['words']);
let chosen: Language = 'en';

/** Loads a language and turns the page to its direction. Other code asks `i18n` for texts and `locale()` for formats. */
export async function activateLanguage(language: Language): Promise<void> {
  const loaded = await Promise.all([...opened].map((catalogue) => CATALOGUES[catalogue][language]()));
  const messages: Messages = Object.fromEntries(loaded.flatMap((part) => Object.entries(part.messages)));
  chosen = language;
  i18n.loadAndActivate({ locale: language, messages });
  loadServiceTexts(language);
  document.documentElement.lang = language;
  document.documentElement.dir = language === 'ar' ? 'rtl' : 'ltr';
}

/** Loads the code of a screen together with the texts that it alone shows. */
export async function withTexts<Code>(catalogue: Catalogue, load: () => Promise<Code>): Promise<Code> {
  opened.add(catalogue);
  const code = load();
  let language: Language;
  do {
    language = chosen;
    const { messages } = await CATALOGUES[catalogue][language]();
    i18n.load(language, messages);
  } while (language !== chosen);
  return code;
}
