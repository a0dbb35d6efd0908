import { useLingui } from '@lingui/react/macro';
import { matches, searchWords } from '../../../domain/text-search.ts';
import { LANGUAGES, isLanguage } from '../../shared/words.ts';
import type { ScreenDefinition } from '../screens.ts';
import { useSession } from '../session.tsx';

/** Something that the palette offers. */
export interface PaletteEntry {
  readonly key: string;
  readonly title: string;
  /** What tells it from others of the same name. */
  readonly note?: string;
  /** More words by which it is found. */
  readonly search?: string;
  /** An address below /desk, or what to do. */
  readonly to: string | (() => void);
}

export interface EntryGroup {
  readonly key: string;
  readonly title: string;
  readonly entries: readonly PaletteEntry[];
}

/** Screens and acts of this person. */
export function useCommands(screens: readonly ScreenDefinition[]): readonly PaletteEntry[] {
  const { t, i18n } = useLingui();
  const { may, chooseLanguage, signOut } = useSession();
  const languages = Object.entries(LANGUAGES).flatMap(([language, name]) =>
    isLanguage(language) && language !== i18n.locale
      ? [
          {
            key: `language ${language}`,
            title: t`Language: ${name}`,
            to: () => void chooseLanguage(language),
          },
        ]
      : [],
  );
  return [
    ...(may('shipment.create')
      ? [{ key: 'new shipment', title: t`New shipment`, to: '/shipments/new' }]
      : []),
    ...screens.map(({ path, title }) => ({
      key: `screen ${path}`,
      title: i18n._(title),
      note: t`Screen`,
      to: path,
    })),
    { key: 'password', title: t`Change your password`, to: '/settings/password' },
    ...languages,
    { key: 'sign out', title: t`Sign out`, to: () => void signOut() },
  ];
}

/** Entries that have every word of what was typed. */
export function matching(entries: readonly PaletteEntry[], typed: string): readonly PaletteEntry[] {
  const words = searchWords(typed);
  return entries.filter(({ title, note, search }) => matches(words, [title, note, search].join(' ')));
}
