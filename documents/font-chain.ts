import type { HanForm } from './han-form.ts';

/** What a text is set in. */
export type FontFace = 'regular' | 'bold' | 'mono';

/** The fonts that every document opens: Latin, Greek and Cyrillic. */
export const BASE_FONTS = {
  regular: '@expo-google-fonts/ibm-plex-sans/400Regular/IBMPlexSans_400Regular.ttf',
  bold: '@expo-google-fonts/ibm-plex-sans/600SemiBold/IBMPlexSans_600SemiBold.ttf',
  mono: '@expo-google-fonts/ibm-plex-mono/600SemiBold/IBMPlexMono_600SemiBold.ttf',
} as const satisfies Record<FontFace, string>;

/** The weights in which a family is opened; a mono text falls back to the bold ones. */
export const WEIGHTS = { regular: 400, bold: 600 } as const;

export type Weight = keyof typeof WEIGHTS;

/** A family that is tried for a letter which the base fonts do not have. */
export interface FallbackFamily {
  readonly name: string;
  /** The letters for which it is tried. */
  readonly letters: RegExp;
  /** A file for each weight, or a package that splits a variable font into slices, listed by letters in its `unicode.json`. */
  readonly source: Readonly<Record<Weight, string>> | { readonly slicesOf: string };
  /** Of a family with Chinese characters: whose forms of them it has. */
  readonly hanForm?: HanForm;
}

/**
 * THE table of fallback fonts (decision 0028), in the order in which they are tried; the family with the text's own forms
 * of Chinese characters goes before the others. A script more is a row more.
 */
export const FALLBACK_FAMILIES: readonly FallbackFamily[] = [
  {
    name: 'arabic',
    letters: /\p{Script_Extensions=Arabic}/u,
    source: {
      regular: '@expo-google-fonts/ibm-plex-sans-arabic/400Regular/IBMPlexSansArabic_400Regular.ttf',
      bold: '@expo-google-fonts/ibm-plex-sans-arabic/600SemiBold/IBMPlexSansArabic_600SemiBold.ttf',
    },
  },
  {
    name: 'noto-sans',
    letters: /[\p{scx=Latin}\p{scx=Greek}\p{scx=Cyrillic}\p{scx=Devanagari}\p{M}\p{N}\p{P}\p{S}]/u,
    // Not in slices: those have the letters and the marks in different files, and a letter needs one font with its marks.
    source: {
      regular: '@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf',
      bold: '@expo-google-fonts/noto-sans/600SemiBold/NotoSans_600SemiBold.ttf',
    },
  },
  {
    name: 'hebrew',
    letters: /\p{scx=Hebrew}/u,
    source: { slicesOf: '@fontsource-variable/noto-sans-hebrew' },
  },
  { name: 'thai', letters: /\p{scx=Thai}/u, source: { slicesOf: '@fontsource-variable/noto-sans-thai' } },
  {
    name: 'simplified',
    letters: /\p{scx=Han}/u,
    source: { slicesOf: '@fontsource-variable/noto-sans-sc' },
    hanForm: 'simplified',
  },
  {
    name: 'traditional',
    letters: /[\p{scx=Han}\p{scx=Bopomofo}]/u,
    source: { slicesOf: '@fontsource-variable/noto-sans-tc' },
    hanForm: 'traditional',
  },
  {
    name: 'japanese',
    letters: /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{N}\p{P}\p{S}]/u,
    source: { slicesOf: '@fontsource-variable/noto-sans-jp' },
    hanForm: 'japanese',
  },
  {
    name: 'korean',
    letters: /[\p{scx=Hangul}\p{scx=Han}]/u,
    source: { slicesOf: '@fontsource-variable/noto-sans-kr' },
    hanForm: 'korean',
  },
];
