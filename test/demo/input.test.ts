import { readFileSync } from 'node:fs';
import test from 'ava';
import { HANDLING_OPTIONS, PACKAGE_SIZES, PRIORITIES, UNIT_TYPES } from '../../domain/enumerations.ts';
import {
  CREATORS,
  PICKUP_MODES,
  dashboardBody,
  externalBody,
  readStoryShipments,
} from '../../demo/story/input.ts';
import { listAt, StoryStopped, textAt, valueAt } from '../../demo/story/reading.ts';

const FILE = new URL('../../demo/story/shipments.json', import.meta.url);
const document: unknown = JSON.parse(readFileSync(FILE, 'utf8'));
const shipments = readStoryShipments(document);
const NOW = new Date('2026-03-01T08:00:00Z');
const POINT = '00000000-0000-4000-8000-000000000007';

test('the file holds 200 shipments, every phone number once', (t) => {
  t.is(shipments.length, 200);
  t.is(new Set(shipments.map(({ fields }) => textAt(fields, 'recipient.phoneNumber'))).size, 200);
});

test('the file shows every priority, size, option, unit, creator and pickup mode, with and without cash', (t) => {
  const sameWords = (seen: readonly string[], words: readonly string[]): void => {
    t.deepEqual([...new Set(seen)].toSorted(), words.toSorted());
  };
  const each = (path: string): string[] => shipments.map(({ fields }) => textAt(fields, path));
  sameWords(each('priority'), PRIORITIES);
  sameWords(each('packageSize'), PACKAGE_SIZES);
  sameWords(
    shipments.map(({ createdBy }) => createdBy),
    CREATORS,
  );
  sameWords(
    shipments.map(({ pickupMode }) => pickupMode),
    PICKUP_MODES,
  );
  const options = shipments.flatMap(({ fields }) => listAt(fields, 'handlingOptions').map(String));
  sameWords(options, HANDLING_OPTIONS);
  const units = shipments.flatMap(({ fields }) =>
    listAt(fields, 'items').map((item) => textAt(item, 'unitType')),
  );
  sameWords(units, UNIT_TYPES);
  const withCash = shipments.filter(({ fields }) => valueAt(fields, 'codAmount') !== undefined).length;
  t.true(withCash > 50 && withCash < 150);
});

test('the file has Latin names with accents and Arabic names, from more than ten cities', (t) => {
  const names = shipments.map(({ fields }) => textAt(fields, 'recipient.firstName'));
  t.true(names.filter((name) => /\p{Script=Arabic}/u.test(name)).length >= 20);
  t.true(names.filter((name) => /\p{Script=Latin}/u.test(name) && /[^\p{ASCII}]/u.test(name)).length >= 20);
  t.true(new Set(shipments.map(({ fields }) => textAt(fields, 'recipient.address.city'))).size > 10);
});

test('the pickup mode decides the body of each surface', (t) => {
  for (const shipment of shipments) {
    const external = externalBody(shipment, POINT, NOW);
    t.is(valueAt(external, 'pickup') === undefined, shipment.pickupMode === 'none');
    t.is(textAt(external, 'pickup.pickupPointId') === POINT, shipment.pickupMode === 'point');
    const dashboard = dashboardBody(shipment, `/api/v1/pickup-points/${POINT}`, NOW);
    t.is(valueAt(dashboard, 'pickup'), undefined);
    t.is(textAt(dashboard, 'pickupPoint') !== '', shipment.pickupMode === 'point');
  }
});

test('a schedule lies ahead of the moment of sending', (t) => {
  const scheduled = shipments.filter(({ scheduledInHours }) => scheduledInHours !== null);
  t.true(scheduled.length > 0);
  for (const shipment of scheduled) {
    t.true(textAt(externalBody(shipment, POINT, NOW), 'scheduledAfter') > NOW.toISOString());
  }
});

test('an entry that does not fit is named', (t) => {
  const [first] = listAt({ document }, 'document');
  const broken = [first, { number: 2, createdBy: 'somebody' }];
  t.throws(() => readStoryShipments(broken), { instanceOf: StoryStopped, message: /Shipment 2 / });
  t.throws(() => readStoryShipments({}), { instanceOf: StoryStopped });
});
