import { i18n } from '@lingui/core';

/** Languages of the console, in their own names. */
export const LANGUAGES = { fr: 'Français', ar: 'العربية', en: 'English' } as const;
export type Language = keyof typeof LANGUAGES;

/** Where a language's dates, amounts and digits are written as people there write them: Latin digits in the Maghreb. */
const REGIONS: Readonly<Record<Language, string>> = { fr: 'fr', ar: 'ar-DZ', en: 'en-GB' };
const REGIONAL = new Set(['fr-FR', 'fr-MA', 'fr-DZ', 'fr-TN', 'ar-DZ', 'ar-MA', 'ar-TN', 'en-GB', 'en-US']);

export function isLanguage(value: unknown): value is Language {
  return typeof value === 'string' && value in LANGUAGES;
}

/** The first of the browser's languages that the console speaks; English otherwise. */
export function browserLanguage(): Language {
  const [known] = navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase()).filter(isLanguage);
  return known ?? 'en';
}

/** The locale for Intl: the browser's own region where it is one of the language's, with Latin digits. */
export function locale(): string {
  const language = isLanguage(i18n.locale) ? i18n.locale : 'en';
  const own = navigator.languages.find((tag) => tag.startsWith(`${language}-`) && REGIONAL.has(tag));
  return `${own ?? REGIONS[language]}-u-nu-latn`;
}
