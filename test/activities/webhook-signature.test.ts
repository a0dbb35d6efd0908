import test from 'ava';
import { timestampedSignature, webhookSignature } from '../../activities/webhook-signature.ts';

/** Computed with `openssl dgst -sha256 -hmac SECRET`, not with this code. */
const SECRET = 'whsec_0123456789abcdef0123456789abcdef01234567';
const VECTORS = [
  ['', 'c72f378100e929fb3e595ccfc0b2878d6f92b0a512ed6155b63a1cacdaee5c40'],
  ['{"event":"shipment.status_changed"}', '69f2071ff32945095485cdb1120846a4699ac40a298e06338764be6cb334f808'],
  ['{"driverName":"Zoë لمياء"}', '0fdc137de2e5bc0d0318fa17f0dfa675442dc7f37ad3f60bcfb23902f4a98dc7'],
] as const;

for (const [body, hex] of VECTORS) {
  test(`the signature of ${JSON.stringify(body)} is the fixed vector`, (t) => {
    t.is(webhookSignature(Buffer.from(body, 'utf8'), SECRET), `sha256=${hex}`);
  });
}

test('the timestamped signature has the seconds and one vector for each secret', (t) => {
  const body = Buffer.from('{"event":"shipment.status_changed"}');
  const now = new Date('2026-03-01T09:30:00.999Z');
  const vector = '5b395228e8a9e623e85e2db624e836d951c0770379cc849ea81b24501d76196b';
  t.is(timestampedSignature(body, [SECRET], now), `t=1772357400,v1=${vector}`);
  const both = timestampedSignature(body, [SECRET, SECRET.replace('0', '1')], now);
  t.regex(both, new RegExp(`^t=1772357400,v1=${vector},v1=(?!${vector})[0-9a-f]{64}$`));
});

test('a changed bit, another secret or a secret without its prefix changes the signature', (t) => {
  const body = Buffer.from('{"event":"shipment.status_changed"}');
  const signature = webhookSignature(body, SECRET);
  t.not(webhookSignature(Buffer.from('{"event":"shipment.status_changee"}'), SECRET), signature);
  t.not(webhookSignature(body, SECRET.replace('0', '1')), signature);
  t.not(webhookSignature(body, SECRET.slice('whsec_'.length)), signature);
});

test('bytes that are not text are signed unchanged', (t) => {
  const body = Uint8Array.of(0, 255, 128, 10);
  t.is(
    webhookSignature(body, SECRET),
    'sha256=51a18ae302d103b0314b3607412e92f83cec98d9bb952cade94ba431d999c51a',
  );
});
