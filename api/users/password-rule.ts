import { dictionary } from '@zxcvbn-ts/language-common';

/** Passwords that people choose and others try first, in small letters. */
const COMMON: ReadonlySet<string> = new Set(dictionary['passwords-common']);

/** The fewest characters of a password that is set (decision 0041). */
export const MINIMUM_PASSWORD_LENGTH = 12;

/**
 * Whether a password is among those that are tried first: a common one in any letter case, alone, several times in a row, or with
 * digits and signs behind it, and one character again and again. `password1234` and `azertyazerty` are.
 */
export function isCommonPassword(password: string): boolean {
  const lower = password.toLowerCase();
  return [lower, lower.replace(/[^\p{L}]+$/u, '')].some(
    (text) => text !== '' && [text, repeatedUnit(text)].some(isKnown),
  );
}

function isKnown(text: string): boolean {
  return Array.from(text).length === 1 || COMMON.has(text);
}

/** The shortest text that gives this one when it is repeated: `ab` of `ababab`; itself where it repeats nothing. */
function repeatedUnit(text: string): string {
  return text.slice(0, (text + text).indexOf(text, 1));
}
