import type { Messages } from '@lingui/core';
import { i18n } from '@lingui/core';
import { loadServiceTexts } from './service-text.ts';
import type { Language } from './words.ts';

/** Each catalogue is a file of its own, loaded when its language is chosen. */
async function catalogueOf(language: Language): Promise<Messages> {
  if (language === 'fr') return (await import('./locales/fr/words.po')).messages;
  if (language === 'ar') return (await import('./locales/ar/words.po')).messages;
  return (await import('./locales/en/words.po')).messages;
}

/** Loads a language and turns the page to its direction. Other code asks `i18n` for texts and `locale()` for formats. */
export async function activateLanguage(language: Language): Promise<void> {
  i18n.loadAndActivate({ locale: language, messages: await catalogueOf(language) });
  loadServiceTexts(language);
  document.documentElement.lang = language;
  document.documentElement.dir = language === 'ar' ? 'rtl' : 'ltr';
}
