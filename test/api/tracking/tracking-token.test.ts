import { randomBytes } from 'node:crypto';
import test from 'ava';
import { trackedShipmentId, trackingToken, trackingUrl } from '../../../api/tracking/tracking-token.ts';
import { newId } from '../../../store/new-id.ts';

const config = {
  jwtSecret: 'j'.repeat(40),
  trackingSecret: 's'.repeat(40),
  trackingUrlTemplate: null,
  publicUrl: 'https://parcels.example',
};
const SECRETS = [
  config,
  { ...config, trackingSecret: 't'.repeat(40) },
  { ...config, trackingSecret: null },
  { ...config, trackingSecret: null, jwtSecret: 'k'.repeat(40) },
];

test('a token has 128 bits, is the same each time, and another for each shipment and secret', (t) => {
  const ids = Array.from({ length: 500 }, () => newId<'shipment'>());
  const tokens = SECRETS.flatMap((secrets) => ids.map((id) => trackingToken(secrets, id)));
  t.is(new Set(tokens).size, tokens.length);
  t.true(tokens.every((token) => /^[\w-]{22}$/.test(token)));
  t.deepEqual(
    ids.map((id) => trackingToken(config, id)),
    tokens.slice(0, ids.length),
  );
});

test('a token leads back to its shipment with its own secret alone, and does not show the id', (t) => {
  const id = newId<'shipment'>();
  const token = trackingToken(config, id);
  const [own, ...others] = SECRETS.map((secrets) => trackedShipmentId(secrets, token));
  t.is(own, id);
  for (const other of others) t.not(other, id);
  t.not(Buffer.from(token, 'base64url').toString('hex'), id.replaceAll('-', ''));
});

test('ids that differ in one bit have tokens that differ in about half of theirs', (t) => {
  const rounds = 200;
  let differing = 0;
  for (let round = 0; round < rounds; round += 1) {
    const id = newId<'shipment'>();
    const next = trackedShipmentId(
      config,
      trackingToken(config, id).replace(/^./, (c) => (c === 'A' ? 'B' : 'A')),
    );
    for (const [index, byte] of Buffer.from(String(next).replaceAll('-', ''), 'hex').entries()) {
      const other = Number.parseInt(id.replaceAll('-', '').slice(2 * index, 2 * index + 2), 16);
      differing += (byte ^ other).toString(2).replaceAll('0', '').length;
    }
  }
  t.true(Math.abs(differing / rounds - 64) < 4, String(differing / rounds));
});

test('text of another form is no token', (t) => {
  const token = trackingToken(config, newId<'shipment'>());
  const spelledOtherwise = `${token.slice(0, 21)}${token.endsWith('A') ? 'B' : 'z'}`;
  for (const text of [
    '',
    token.slice(1),
    `${token}A`,
    `${token}\n`,
    spelledOtherwise,
    '%00',
    newId<'shipment'>(),
  ]) {
    t.is(trackedShipmentId(config, text), undefined, text);
  }
  t.not(trackedShipmentId(config, randomBytes(16).toString('base64url')), undefined);
});

test('the operator may name another page, by the token or the tracking number', (t) => {
  const shipment = { id: newId<'shipment'>(), trackingNumber: 'TST-20300101-ABC123' };
  const token = trackingToken(config, shipment.id);
  t.is(trackingUrl(config, shipment), `https://parcels.example/t/${token}`);
  const template = 'https://shop.example/{trackingNumber}?t={token}';
  t.is(
    trackingUrl({ ...config, trackingUrlTemplate: template }, shipment),
    `https://shop.example/TST-20300101-ABC123?t=${token}`,
  );
});
