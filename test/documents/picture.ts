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
  const data = new Uint8ClampedArray(grey.length * 4);
  for (let index = 0; index < grey.length; index += 1) {
    const at = index * 4;
    const level = grey[index] ?? 255;
    data[at] = level;
    data[at + 1] = level;
    data[at + 2] = level;
    data[at + 3] = 255;
  }
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
  const halved = new Uint8Array(halfWidth * halfHeight);
  for (let y = 0; y < halfHeight; y += 1) {
    for (let x = 0; x < halfWidth; x += 1) {
      const at = 2 * y * width + 2 * x;
      const upper = (grey[at] ?? 255) + (grey[at + 1] ?? 255);
      const lower = (grey[at + width] ?? 255) + (grey[at + width + 1] ?? 255);
      halved[y * halfWidth + x] = Math.round((upper + lower) / 4);
    }
  }
  return { width: halfWidth, height: halfHeight, grey: halved };
}

/** Turns a picture about its middle, on white, by bilinear sampling; positive is clockwise. */
export function rotatePicture(picture: Picture, degrees: number): Picture {
  if (degrees === 0) return picture;
  const { width, height } = picture;
  const grey = new Uint8Array(width * height);
  const cos = Math.cos((degrees * Math.PI) / 180);
  const sin = Math.sin((degrees * Math.PI) / 180);
  for (let y = 0; y < height; y += 1) {
    const dy = y - height / 2;
    for (let x = 0; x < width; x += 1) {
      const dx = x - width / 2;
      grey[y * width + x] = sample(
        picture,
        width / 2 + dx * cos + dy * sin,
        height / 2 - dx * sin + dy * cos,
      );
    }
  }
  return { width, height, grey };
}

/** Runs for millions of pixels: it reads the array without a function in between. */
function sample({ width, height, grey }: Picture, x: number, y: number): number {
  const left = Math.floor(x);
  const top = Math.floor(y);
  if (left < 0 || top < 0 || left + 1 >= width || top + 1 >= height) return 255;
  const at = top * width + left;
  const shareX = x - left;
  const shareY = y - top;
  const upper = (grey[at] ?? 255) * (1 - shareX) + (grey[at + 1] ?? 255) * shareX;
  const lower = (grey[at + width] ?? 255) * (1 - shareX) + (grey[at + width + 1] ?? 255) * shareX;
  return Math.round(upper * (1 - shareY) + lower * shareY);
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
