import { say } from '../../domain/messages.ts';
import type { Violation } from '../../domain/problem.ts';
import { findPositionPage, recordPositions } from '../../store/fleet/driver-positions.ts';
import type { PositionRow, ReportedPosition } from '../../store/fleet/driver-positions.ts';
import { drivers } from '../../store/fleet/drivers.ts';
import { collectionOf } from '../hydra/collection.ts';
import { requireFound } from '../http/require-found.ts';
import { dashboardRoute } from '../http/route.ts';
import type { LocationBody } from './parse.ts';
import { locationBody, MAXIMUM_POSITIONS, positionListQuery } from './parse.ts';
import { driverRecords } from './records.ts';
import { driverPosition, positionCollectionJson } from './fields.ts';

/** Clocks of phones run ahead by some seconds; more would keep true positions from being shown. */
const TOLERATED_LEAD_MS = 30_000;

const locate = dashboardRoute({
  operation: 'drivers.locate',
  method: 'POST',
  path: '/drivers/{id}/location',
  action: 'driver.locate',
  summary: 'Update the GPS position',
  description: `One position, or up to ${MAXIMUM_POSITIONS} that a device recorded while it was offline. All are stored in the history; an older one never replaces a newer lastPosition. recordedAt must not be more than 30 seconds in the future. A driver can only update its own position.`,
  answers: { 200: { description: 'The driver.', schema: driverRecords.shape, headers: ['ETag'] } },
  body: locationBody,
  load: driverRecords.load,
  currentTag: driverRecords.currentTag,
  check: ({ dependencies }, { recordedAt = null, positions }) => {
    const moments = [recordedAt, ...(positions ?? []).map((position) => position.recordedAt)];
    return futureViolations(moments, dependencies.clock());
  },
  handle: async (request) => {
    const { body, item, scope } = request;
    await recordPositions(scope, item.id, reportedPositions(body));
    return driverRecords.answer(request, requireFound(await drivers.find(scope, item.id), 'driver'));
  },
});

const positions = collectionOf('DriverPosition', positionCollectionJson, (row: PositionRow) =>
  driverPosition.show(row),
);

const history = dashboardRoute({
  operation: 'drivers.positions',
  method: 'GET',
  path: '/drivers/{id}/positions',
  action: 'driver.read',
  summary: 'List the positions of a driver',
  description: 'Newest first by default. Drivers see only their own positions.',
  answers: { 200: { description: 'One page.', schema: positionCollectionJson } },
  query: positionListQuery,
  load: driverRecords.load,
  handle: async (request) => {
    const { item, query, scope } = request;
    const recorded = { after: query['recordedAt[after]'], before: query['recordedAt[before]'] };
    const direction = query['order[id]'] ?? query['order[recordedAt]'];
    return positions(request, await findPositionPage(scope, item.id, recorded, direction, query));
  },
});

/** The positions of a body that has one or several; the rule of its schema lets no other through. */
function reportedPositions({
  positions,
  latitude,
  longitude,
  ...details
}: LocationBody): readonly ReportedPosition[] {
  if (positions !== null) return positions;
  return latitude === null || longitude === null ? [] : [{ latitude, longitude, ...details }];
}

/** Violations of moments that lie in the future: the body's own first, then each position's. */
function futureViolations(moments: readonly (Date | null)[], now: Date): readonly Violation[] {
  return moments.flatMap((moment, index): Violation[] => {
    if (moment === null || +moment <= +now + TOLERATED_LEAD_MS) return [];
    const propertyPath = index === 0 ? 'recordedAt' : `positions[${index - 1}].recordedAt`;
    return [{ propertyPath, ...say('not_in_the_future'), code: 'range' }];
  });
}

export const driverRoutes = [...driverRecords.routes, locate, history];
