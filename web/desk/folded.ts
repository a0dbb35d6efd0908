/** Texts as they are compared: without case and accents. */
export function folded(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/\p{Mark}/gu, '')
    .toLowerCase();
}
