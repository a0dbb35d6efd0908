import type { PaletteEntry } from './entries.ts';

const KEPT = 6;

/** In this page's memory alone: names of recipients are not kept in the browser. */
let recent: readonly PaletteEntry[] = [];
let recentOf = '';

/** What a person with these rights has opened last, latest first. */
export function recentEntries(rights: string): readonly PaletteEntry[] {
  return rights === recentOf ? recent.map((entry) => ({ ...entry, key: `recent ${entry.key}` })) : [];
}

export function rememberEntry(rights: string, entry: PaletteEntry): void {
  const key = entry.key.replace(/^recent /, '');
  const others = rights === recentOf ? recent.filter((known) => known.key !== key) : [];
  recent = [{ ...entry, key }, ...others].slice(0, KEPT);
  recentOf = rights;
}
