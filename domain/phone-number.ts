/**
 * Phone numbers are checked by their form and kept in E.164 (contract «Recipient», decision 0007). Numbering plans are not
 * asked.
 */

/** What is read: a plus, then 7 to 15 digits, with up to two separators before each. */
export const PHONE_NUMBER_PATTERN = '^\\+[1-9](?:[ \\u00a0\\u202f().-]{0,2}[0-9]){6,14}$';

const E164 = /^\+[1-9]\d{6,14}$/;
const BRACKETED_ZERO = '(0)';
/** Italy, San Marino and the Vatican dial the zero from abroad too, so there it cannot be told what is meant. */
const COUNTRY_CODE_AND_ZERO = /^(\+(?!39|378|379)\d{1,3}[\s.-]*)\(0\)/;

/**
 * Returns an international number without its separators. The zero of `+33 (0)6 12 34 56 78` is dialled inside the country
 * alone and left out. Undefined where such a zero stands elsewhere, and where no number of 7 to 15 digits is left.
 */
export function parsePhoneNumber(text: string): string | undefined {
  const international = text.replace(COUNTRY_CODE_AND_ZERO, '$1');
  const digits = international.replace(/[\s().\-/]/g, '');
  return E164.test(digits) && !international.includes(BRACKETED_ZERO) ? digits : undefined;
}
