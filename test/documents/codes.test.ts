import test from 'ava';

import { renderCodes } from '../../documents/codes.ts';
import { readCodes } from './read-pdf.ts';

const TRACKING_NUMBER = 'ACM-20261120-7K3M9Q';

function content(dataUri: string, type: string): Buffer {
  const prefix = `data:${type};base64,`;
  if (!dataUri.startsWith(prefix)) throw new Error(`Expected ${prefix}, got ${dataUri.slice(0, 40)}`);
  return Buffer.from(dataUri.slice(prefix.length), 'base64');
}

test('both PNG images are read by another author’s decoder as they are, without a margin added', async (t) => {
  const { qrCode, barcode } = await renderCodes(TRACKING_NUMBER, 'png');
  t.deepEqual(await readCodes(new Uint8Array(content(qrCode, 'image/png'))), [
    { format: 'QRCode', text: TRACKING_NUMBER },
  ]);
  t.deepEqual(await readCodes(new Uint8Array(content(barcode, 'image/png'))), [
    { format: 'Code128', text: TRACKING_NUMBER },
  ]);
});

test('both SVG images are vectors with their quiet zones inside', async (t) => {
  const { qrCode, barcode } = await renderCodes(TRACKING_NUMBER, 'svg');
  // 25 modules and 4 light ones on each side.
  t.regex(content(qrCode, 'image/svg+xml').toString(), /^<svg [^>]*viewBox="0 0 33 33"/u);
  // 222 modules and 10 light ones on each side, 3 units each.
  t.regex(content(barcode, 'image/svg+xml').toString(), /^<svg viewBox="0 0 726 \d+"/u);
});

test('the same tracking number gives the same images', async (t) => {
  t.deepEqual(await renderCodes(TRACKING_NUMBER, 'png'), await renderCodes(TRACKING_NUMBER, 'png'));
});

test('a tracking number that Code 128 cannot encode is rejected', async (t) => {
  await t.throwsAsync(renderCodes('مرحبا', 'png'));
});
