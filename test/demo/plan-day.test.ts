import test from 'ava';
import { parsePhoneNumber } from '../../domain/phone-number.ts';
import { runStatus, STAGE_OF_STATUS, type StageCounts } from '../../domain/delivery-run.ts';
import { ATLAS_DAY, FAILURES, PETIT_COLIS_DAY, type Fate } from '../../demo/day/fates.ts';
import { fatesIn, planDay, type DayPlan } from '../../demo/day/plan-day.ts';
import { windowAround, type WindowKind } from '../../demo/day/windows.ts';
import { PLACES, WORLDS, type Area, type World } from '../../demo/world/world.ts';
import { ATLAS } from '../../demo/world/atlas.ts';
import { PETIT_COLIS } from '../../demo/world/petit-colis.ts';

const NOW = new Date('2026-03-10T10:07:30.000Z');
const DAYS: readonly (readonly [World, DayPlan])[] = [
  [ATLAS, planDay(ATLAS, ATLAS_DAY, NOW)],
  [PETIT_COLIS, planDay(PETIT_COLIS, PETIT_COLIS_DAY, NOW)],
];
const ALL = DAYS.flatMap(([, { shipments }]) => shipments);
const BOXES: Readonly<Record<Area, { readonly south: number; north: number; west: number; east: number }>> = {
  paris: { south: 48.79, north: 48.95, west: 2.2, east: 2.46 },
  algiers: { south: 36.68, north: 36.82, west: 2.9, east: 3.22 },
  casablanca: { south: 33.5, north: 33.63, west: -7.72, east: -7.5 },
};

function isInside(area: Area, { latitude, longitude }: { latitude: number; longitude: number }): boolean {
  const { south, north, west, east } = BOXES[area];
  return latitude > south && latitude < north && longitude > west && longitude < east;
}

test('every street, driver and pickup point lies in its own town', (t) => {
  const areas: readonly Area[] = ['paris', 'algiers', 'casablanca'];
  for (const area of areas) {
    for (const place of PLACES[area]) t.true(isInside(area, place), `${place.street}, ${place.city}`);
    t.is(new Set(PLACES[area].map(({ street, city }) => `${street}, ${city}`)).size, PLACES[area].length);
  }
  for (const { drivers, pickupPoints } of WORLDS) {
    for (const driver of drivers) t.true(isInside(driver.area, driver), driver.key);
    for (const { area, address, code } of pickupPoints) t.true(isInside(area, address), code);
  }
});

test('the two organizations have 12 drivers, one plan without webhooks and two currencies', (t) => {
  t.is(WORLDS.flatMap(({ drivers }) => drivers).length, 12);
  t.deepEqual(
    WORLDS.map(({ plan, currency }) => `${plan} ${currency}`),
    ['pro EUR', 'decouverte DZD'],
  );
  const phones = WORLDS.flatMap(({ drivers, merchants }) => [...drivers, ...merchants]);
  for (const { phoneNumber } of phones) t.is(parsePhoneNumber(phoneNumber), phoneNumber);
  t.is(new Set(phones.map(({ phoneNumber }) => phoneNumber)).size, phones.length);
});

test('the day has 200 shipments, of each fate as many as the table says', (t) => {
  t.is(ALL.length, 200);
  for (const [index, shape] of [ATLAS_DAY, PETIT_COLIS_DAY].entries()) {
    const found = new Map<Fate, number>();
    for (const { fate } of DAYS[index]?.[1].shipments ?? []) found.set(fate, (found.get(fate) ?? 0) + 1);
    for (const [fate, count] of fatesIn(shape.counts)) t.is(found.get(fate), count, fate);
  }
});

test('the day shows what a dispatcher meets: late, failed for each reason, no pin, cash, two scripts', (t) => {
  const bodies = ALL.map(({ body }) => body);
  const reasons = ALL.filter(({ fate }) => fate === 'failed').flatMap(({ steps }) =>
    steps.flatMap(({ fields }) => (typeof fields['reason'] === 'string' ? [fields['reason']] : [])),
  );
  t.deepEqual(
    FAILURES.map(({ reason }) => reason).filter((reason) => !reasons.includes(reason)),
    [],
  );
  const isLate = ({ scheduledBefore }: { scheduledBefore: string }) => scheduledBefore < NOW.toISOString();
  const numbers = {
    late: bodies.filter(isLate).length,
    withoutPin: bodies.filter(({ recipient }) => recipient.address.latitude === undefined).length,
    withCash: bodies.filter(({ codAmount }) => codAmount !== '0.00').length,
    inArabic: bodies.filter(({ recipient }) => /\p{Script=Arabic}/u.test(recipient.firstName)).length,
    withLandmark: bodies.filter(({ recipient }) => recipient.address.landmark !== undefined).length,
  };
  t.deepEqual(numbers, { late: 14, withoutPin: 12, withCash: 144, inArabic: 69, withLandmark: 94 });
});

test('the six runs come to all five statuses', (t) => {
  const statuses = DAYS.flatMap(([, { runs }]) => runs).map(({ members, status, isCancelled }) => {
    const stageOf = {
      assigned: 'assigned',
      unassigned: 'pending',
      delivered: 'delivered',
      failed: 'failed',
    } as const;
    const counts = { open: 0, underway: 0, done: 0, failed: 0, cancelled: 0 } satisfies StageCounts;
    for (const [fate, count] of fatesIn(members)) {
      const known = fate === 'out_for_delivery' ? 'delivery_in_progress' : undefined;
      const taskStatus = known ?? Object.entries(stageOf).find(([name]) => name === fate)?.[1];
      if (taskStatus === undefined) throw new Error(`a run has no ${fate}`);
      counts[STAGE_OF_STATUS[taskStatus]] += count;
    }
    return runStatus(isCancelled === true ? 'cancelled' : status, counts);
  });
  t.deepEqual(statuses.toSorted(), [
    ...['cancelled', 'completed', 'draft', 'in_progress', 'in_progress', 'planned'],
  ]);
});

test('references and phone numbers are unique, pins lie in the town of the shipment', (t) => {
  for (const [world, { shipments, runs }] of DAYS) {
    const references = shipments.map(({ body }) => body.externalReference);
    t.is(new Set(references).size, shipments.length);
    t.is(new Set(shipments.map(({ body }) => body.recipient.phoneNumber)).size, shipments.length);
    for (const { body } of shipments) {
      const { latitude, longitude } = body.recipient.address;
      t.is(parsePhoneNumber(body.recipient.phoneNumber), body.recipient.phoneNumber);
      if (latitude === undefined || longitude === undefined) continue;
      const areas = new Set(world.drivers.map(({ area }) => area));
      t.true(
        [...areas].some((area) => isInside(area, { latitude, longitude })),
        body.externalReference,
      );
    }
    const stops = runs.flatMap((run) => run.references);
    t.is(new Set(stops).size, stops.length);
    for (const reference of stops) t.true(references.includes(reference));
  }
});

test('the plan is the same each time, apart from its moments', (t) => {
  const timeless = (plan: DayPlan) =>
    plan.shipments.map(({ body: { scheduledAfter, scheduledBefore, ...body }, ...shipment }) => ({
      ...shipment,
      ...{ body, minutes: (Date.parse(scheduledBefore) - Date.parse(scheduledAfter)) / 60_000 },
    }));
  const again = planDay(ATLAS, ATLAS_DAY, NOW);
  t.deepEqual(again, planDay(ATLAS, ATLAS_DAY, NOW));
  t.deepEqual(timeless(planDay(ATLAS, ATLAS_DAY, new Date('2027-08-01T12:37:00.000Z'))), timeless(again));
});

test('the receiver answers 500 to one delivery of a single shipment, and 410 to another', (t) => {
  const [[, { receiverAnswers, shipments }] = [ATLAS, planDay(ATLAS, ATLAS_DAY, NOW)]] = DAYS;
  t.deepEqual([...receiverAnswers.values()], [500, 410]);
  for (const reference of receiverAnswers.keys())
    t.is(shipments.find(({ body }) => body.externalReference === reference)?.fate, 'delivered');
});

test('at any hour the windows begin today or earlier, and only what is late has ended', (t) => {
  const kinds: readonly WindowKind[] = ['past', 'now', 'soon', 'later'];
  for (const timezone of ['Europe/Paris', 'Africa/Algiers', 'America/Los_Angeles', 'Asia/Kolkata']) {
    const dayOf = new Intl.DateTimeFormat('en-CA', { timeZone: timezone, dateStyle: 'short' });
    for (let minute = 0; minute < 1_440; minute += 37) {
      const now = new Date(NOW.getTime() + minute * 60_000);
      for (const kind of kinds) {
        for (const shift of [0, 3]) {
          const { scheduledAfter, scheduledBefore } = windowAround(kind, now, timezone, shift);
          const words = `${kind} ${timezone} ${now.toISOString()} ${scheduledAfter} ${scheduledBefore}`;
          t.true(scheduledAfter < scheduledBefore, words);
          t.is(Date.parse(scheduledBefore) < now.getTime(), kind === 'past', words);
          t.true(dayOf.format(new Date(scheduledAfter)) <= dayOf.format(now), words);
        }
      }
    }
  }
});
