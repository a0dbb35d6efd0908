/** Whether a text has each of the words (in small letters), in any order; without words every text does. */
export function matches(words: readonly string[], text: string): boolean {
  const small = text.toLowerCase();
  return words.every((word) => small.includes(word));
}
