/** Degrees as a person types them (`48.8566`, `48,8566`); undefined where the text is no number from -maximum to maximum. */
export function readDegrees(text: string, maximum: number): number | undefined {
  const trimmed = text.trim().replace(',', '.');
  if (!/^-?\d+(?:\.\d+)?$/.test(trimmed)) return undefined;
  const degrees = Number(trimmed);
  return Math.abs(degrees) <= maximum ? degrees : undefined;
}
