import { firstLetters } from '../letters.ts';
import type { Pin, Sight } from '../port.ts';
import type { Palette } from './palette.ts';

const RADIUS_PX = 7.5;
const DRIVER_RADIUS_PX = 12;
const LABEL_FONT = '11px system-ui, sans-serif';
const LABEL_CELL_PX = { width: 72, height: 16 };
const LABEL_LENGTH = 18;

export function drawPin(
  context: CanvasRenderingContext2D,
  palette: Palette,
  { look, form, isSelected, isPending }: Pin,
  x: number,
  y: number,
): void {
  const ground = palette.colour('--surface');
  const colour = palette.colour(look.colour);
  context.save();
  context.translate(x, y);
  if (isSelected) {
    context.lineWidth = 3;
    context.strokeStyle = palette.colour('--text');
    outline(context, form, RADIUS_PX + 4);
    context.fillStyle = ground;
    context.fill();
    context.stroke();
  }
  outline(context, form, RADIUS_PX);
  context.fillStyle = look.isFilled ? colour : ground;
  context.fill();
  context.lineWidth = look.isFilled ? 1.5 : 2;
  context.strokeStyle = look.isFilled ? ground : colour;
  context.setLineDash(isPending ? [3, 3] : []);
  context.stroke();
  context.setLineDash([]);
  context.lineWidth = 2;
  context.lineCap = 'round';
  context.strokeStyle = look.isFilled ? ground : colour;
  context.stroke(signOf(look.path));
  context.restore();
}

const signs = new Map<string, Path2D>();

function signOf(path: string): Path2D {
  const known = signs.get(path) ?? new Path2D(path);
  signs.set(path, known);
  return known;
}

function outline(context: CanvasRenderingContext2D, form: Pin['form'], radius: number): void {
  context.beginPath();
  if (form === 'circle') context.arc(0, 0, radius, 0, 2 * Math.PI);
  else context.roundRect(-radius, -radius, 2 * radius, 2 * radius, 2);
}

/** How many pins are drawn as this one. */
export function drawCount(
  context: CanvasRenderingContext2D,
  palette: Palette,
  count: number,
  x: number,
  y: number,
): void {
  const text = count > 99 ? '99+' : String(count);
  context.font = '600 10px system-ui, sans-serif';
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  const width = Math.max(12, context.measureText(text).width + 5);
  context.beginPath();
  context.roundRect(x + 9 - width / 2, y - 15, width, 12, 6);
  context.fillStyle = palette.colour('--text');
  context.fill();
  context.fillStyle = palette.colour('--surface');
  context.fillText(text, x + 9, y - 8.5);
}

/** `labelled` has the squares that have a label already: a label over another is left out. */
export function drawSight(
  context: CanvasRenderingContext2D,
  palette: Palette,
  { kind, sign, label, isQuiet }: Sight,
  x: number,
  y: number,
  labelled: Set<string>,
): void {
  context.save();
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  if (kind === 'driver') {
    context.beginPath();
    context.arc(x, y, DRIVER_RADIUS_PX, 0, 2 * Math.PI);
    context.fillStyle = palette.colour(isQuiet ? '--surface' : '--text');
    context.strokeStyle = palette.colour(isQuiet ? '--text-quiet' : '--surface');
    context.setLineDash(isQuiet ? [3, 2] : []);
    context.lineWidth = 2;
    context.fill();
    context.stroke();
  } else if (kind === 'pickup_point') {
    context.beginPath();
    context.moveTo(x - 9, y + 8);
    context.lineTo(x - 9, y - 3);
    context.lineTo(x, y - 11);
    context.lineTo(x + 9, y - 3);
    context.lineTo(x + 9, y + 8);
    context.closePath();
    context.fillStyle = palette.colour('--surface');
    context.strokeStyle = palette.colour('--text');
    context.lineWidth = 1.5;
    context.fill();
    context.stroke();
  }
  context.fillStyle = palette.colour(kind === 'driver' && !isQuiet ? '--surface' : '--text');
  context.font = '600 10px system-ui, sans-serif';
  context.fillText(sign, x, y + 0.5);
  context.restore();
  drawLabel(context, palette, label, x, y + (kind === 'text' ? 0 : 20), labelled);
}

function drawLabel(
  context: CanvasRenderingContext2D,
  palette: Palette,
  label: string,
  x: number,
  y: number,
  labelled: Set<string>,
): void {
  if (label === '') return;
  const cell = `${Math.round(x / LABEL_CELL_PX.width)} ${Math.round(y / LABEL_CELL_PX.height)}`;
  if (labelled.has(cell)) return;
  labelled.add(cell);
  const begin = firstLetters(label, LABEL_LENGTH);
  const text = begin === label ? label : `${begin}…`;
  context.save();
  context.font = LABEL_FONT;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.lineWidth = 3;
  context.lineJoin = 'round';
  context.strokeStyle = palette.colour('--surface');
  context.strokeText(text, x, y);
  context.fillStyle = palette.colour('--text');
  context.fillText(text, x, y);
  context.restore();
}
