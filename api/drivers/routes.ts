import type { Violation } from '../../domain/problem.ts';
import { findPositionPage, recordPositions } from '../../store/fleet/driver-positions.ts';
import type { ReportedPosition } from '../../store/fleet/driver-positions.ts';
import { drivers } from '../../store/fleet/drivers.ts';
import { tenant } from '../../store/tenant.ts';
import { collection } from '../hydra/collection.ts';
import { loadRecord, recordAnswer, recordRoutes } from '../resource/record-routes.ts';
import { throwIfInvalid, validPart } from '../schema/lookup-violations.ts';
import { requireFound } from '../http/require-found.ts';
import { dashboardRoute, NO_BODY, NO_QUERY } from '../http/route.ts';
import { anyList } from '../schema/schema-objects.ts';
import type { LocationBody } from './parse.ts';
import { locationBody, MAXIMUM_POSITIONS, positionListQuery, RECORDED_AT } from './parse.ts';
import { driverRecords } from './records.ts';
import { driver, driverPosition, positionCollectionJson } from './fields.ts';

const tag = driverRecords.words.tag;
/** Clocks of phones run ahead by some seconds; more would keep true positions from being shown. */
const TOLERATED_LEAD_MS = 30_000;

const locate = dashboardRoute({
  operation: 'drivers.locate',
  method: 'POST',
  path: '/drivers/{id}/location',
  action: 'driver.locate',
  tag,
  summary: 'Update the GPS position',
  description: `One position, or up to ${MAXIMUM_POSITIONS} that a device recorded while it was offline. All are stored in the history; an older one never replaces a newer lastPosition. recordedAt must not be more than 30 seconds in the future. A driver can only update its own position.`,
  answers: { 200: { description: 'The driver.', schema: driver.shapes.record, headers: ['ETag'] } },
  body: locationBody,
  query: NO_QUERY,
  load: (request) => loadRecord(driverRecords, request),
  lookupViolations: ({ dependencies }, body) =>
    Promise.resolve(futureViolations(validMoments(body), dependencies.clock())),
  handle: async ({ actor, body, item, dependencies }) => {
    const moments = [body.recordedAt, ...(body.positions ?? []).map(({ recordedAt }) => recordedAt)];
    throwIfInvalid(futureViolations(moments, dependencies.clock()));
    const scope = tenant(dependencies.database, actor.organizationId);
    await recordPositions(dependencies.database, scope, item.id, reportedPositions(body));
    return recordAnswer(driverRecords, 200, requireFound(await drivers.find(scope, item.id), 'driver'));
  },
});

const history = dashboardRoute({
  operation: 'drivers.positions',
  method: 'GET',
  path: '/drivers/{id}/positions',
  action: 'driver.read',
  tag,
  summary: 'List the positions of a driver',
  description: 'Newest first by default. Drivers see only their own positions.',
  answers: { 200: { description: 'One page.', schema: positionCollectionJson } },
  body: NO_BODY,
  query: positionListQuery,
  load: (request) => loadRecord(driverRecords, request),
  handle: async ({ actor, item, query, raw, dependencies }) => {
    const page = await findPositionPage(
      tenant(dependencies.database, actor.organizationId),
      item.id,
      { after: query['recordedAt[after]'], before: query['recordedAt[before]'] },
      query['order[recordedAt]'],
      query,
    );
    return {
      status: 200,
      body: collection('DriverPosition', raw, query, page, (row) => driverPosition.show(row)),
    };
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

/** The valid moments of a body, which may be invalid elsewhere. */
function validMoments(body: unknown): readonly (Date | null)[] {
  const positions = validPart(anyList(MAXIMUM_POSITIONS), body, 'positions') ?? [];
  return [body, ...positions].map((position) => validPart(RECORDED_AT, position, 'recordedAt'));
}

/** Violations of moments that lie in the future: the body's own first, then each position's. */
function futureViolations(moments: readonly (Date | null)[], now: Date): readonly Violation[] {
  const message = 'Must not be in the future.';
  return moments.flatMap((moment, index): Violation[] => {
    if (moment === null || +moment <= +now + TOLERATED_LEAD_MS) return [];
    const propertyPath = index === 0 ? 'recordedAt' : `positions[${index - 1}].recordedAt`;
    return [{ propertyPath, message, code: 'range' }];
  });
}

export const driverRoutes = [...recordRoutes(driverRecords), locate, history];
