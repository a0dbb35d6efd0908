import { say } from './messages.ts';
import type { Problem } from './problem.ts';
import { stated } from './problem.ts';

/** What an import is told that ended without a problem of its file: it made nothing (decision 0032). */
export const ABANDONED_IMPORT = {
  kind: 'unavailable',
  ...stated(say('import_abandoned')),
  retryAfterSeconds: 10,
} as const satisfies Problem;

/** Characters of a file's name that are kept. */
const MAX_NAME_CHARACTERS = 255;
/** Control characters, line ends, and marks that make a name look like another one. */
const INVISIBLE = /[\p{Cc}\p{Cs}\u2028\u2029\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu;

/** The name of an uploaded file as it is kept and shown: without folders and invisible marks; null where nothing is left. */
export function shownFileName(sent: string): string | null {
  const own = sent.split(/[\\/]/u).at(-1) ?? '';
  const visible = own.replace(INVISIBLE, '').trim();
  return visible === '' ? null : Array.from(visible).slice(0, MAX_NAME_CHARACTERS).join('');
}
