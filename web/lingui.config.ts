import { defineConfig } from '@lingui/cli';
import { formatter } from '@lingui/format-po';

/** The console's texts: English in the sources, French and Arabic complete in their catalogues (a test checks it). */
export default defineConfig({
  sourceLocale: 'en',
  locales: ['en', 'fr', 'ar'],
  // An untranslated text is shown in English; a test keeps the catalogues complete.
  fallbackLocales: { default: 'en' },
  format: formatter({ lineNumbers: false, origins: false }),
  orderBy: 'message',
  catalogs: [
    {
      path: '<rootDir>/shared/locales/{locale}/words',
      include: ['<rootDir>/desk', '<rootDir>/shared'],
      exclude: ['**/dist/**', '**/generated/**', '**/service-words.ts', '<rootDir>/desk/settings/*'],
    },
    {
      // Loaded with their screen (shared/activate-language.ts). Other screens use what is in its folder `record`.
      path: '<rootDir>/shared/locales/{locale}/settings',
      include: ['<rootDir>/desk/settings'],
      exclude: ['<rootDir>/desk/settings/record/**'],
    },
    { path: '<rootDir>/shared/locales/{locale}/service', include: ['<rootDir>/shared/service-words.ts'] },
  ],
});
