const POINTS_PER_MM = 72 / 25.4;

/** Millimetres to PDF points. */
export function mm(lengthMm: number): number {
  return lengthMm * POINTS_PER_MM;
}
