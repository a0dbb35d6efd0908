import { mkdir, readFile, writeFile } from 'node:fs/promises';

import { PNG } from 'pngjs';

/** One byte a pixel, row by row: 0 is black, 255 is white. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly grey: Uint8Array;
}

const GREYSCALE = 0;
const PICTURES = new URL('./pictures/', import.meta.url);
/** A pixel counts as different beyond this many levels of grey: edges may be smoothed a little differently. */
const DIFFERENT_LEVELS = 64;

/** Four bytes a pixel, opaque. */
export function toRgba({ grey }: Picture): Uint8ClampedArray {
  const data = new Uint8ClampedArray(grey.length * 4).fill(255);
  grey.forEach((level, index) => data.fill(level, index * 4, index * 4 + 3));
  return data;
}

function encodePicture(picture: Picture): Uint8Array {
  const { width, height } = picture;
  const png = new PNG({ width, height });
  png.data.set(toRgba(picture));
  return PNG.sync.write(png, { colorType: GREYSCALE, deflateLevel: 9 });
}

/** Half as wide and high, each pixel the mean of four: small enough to keep, and still legible. */
export function halvePicture({ width, height, grey }: Picture): Picture {
  const halfWidth = Math.floor(width / 2);
  const halfHeight = Math.floor(height / 2);
  const at = (x: number, y: number) => grey[y * width + x] ?? 255;
  const halved = Uint8Array.from({ length: halfWidth * halfHeight }, (_, index) => {
    const x = (index % halfWidth) * 2;
    const y = Math.floor(index / halfWidth) * 2;
    return Math.round((at(x, y) + at(x + 1, y) + at(x, y + 1) + at(x + 1, y + 1)) / 4);
  });
  return { width: halfWidth, height: halfHeight, grey: halved };
}

/** Turns a picture about its middle, on white, by bilinear sampling; positive is clockwise. */
export function rotatePicture(picture: Picture, degrees: number): Picture {
  const { width, height } = picture;
  const grey = new Uint8Array(width * height).fill(255);
  const cos = Math.cos((degrees * Math.PI) / 180);
  const sin = Math.sin((degrees * Math.PI) / 180);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const dx = x - width / 2;
      const dy = y - height / 2;
      grey[y * width + x] = sample(
        picture,
        width / 2 + dx * cos + dy * sin,
        height / 2 - dx * sin + dy * cos,
      );
    }
  }
  return { width, height, grey };
}

function sample({ width, height, grey }: Picture, x: number, y: number): number {
  const left = Math.floor(x);
  const top = Math.floor(y);
  const at = (column: number, row: number) =>
    column < 0 || row < 0 || column >= width || row >= height ? 255 : (grey[row * width + column] ?? 255);
  const mix = (from: number, to: number, share: number) => from + (to - from) * share;
  const upper = mix(at(left, top), at(left + 1, top), x - left);
  const lower = mix(at(left, top + 1), at(left + 1, top + 1), x - left);
  return Math.round(mix(upper, lower, y - top));
}

/**
 * Compares a picture with the kept one and answers the share of pixels (0 to 1) that differ; 1 for another
 * size. With `RENEW_PICTURES=1` it keeps this picture instead, to be looked at before it is committed.
 */
export async function compareWithKept(name: string, picture: Picture): Promise<number> {
  const file = new URL(`${name}.png`, PICTURES);
  if (process.env['RENEW_PICTURES'] === '1') {
    await mkdir(PICTURES, { recursive: true });
    await writeFile(file, encodePicture(picture));
  }
  const kept = PNG.sync.read(await readFile(file));
  if (kept.width !== picture.width || kept.height !== picture.height) return 1;
  const different = picture.grey.filter((level, index) => {
    return Math.abs(level - (kept.data[index * 4] ?? 0)) > DIFFERENT_LEVELS;
  });
  return different.length / picture.grey.length;
}
