import { MAXIMUM_BOARD_TASKS } from '../../domain/board.ts';
import { API_PREFIX } from '../../domain/iri.ts';
import type { UserRole } from '../../domain/permission.ts';
import type { Board } from '../../store/board/board.ts';
import { readBoard } from '../../store/board/board.ts';
import { formatCursor } from '../../store/changes/cursor.ts';
import { zones } from '../../store/fleet/zones.ts';
import { compressed } from '../http/compression.ts';
import { requireFound } from '../http/require-found.ts';
import { dashboardRoute } from '../http/route.ts';
import { contentEtag } from '../http/static-content.ts';
import { contextPath } from '../hydra/resource.ts';
import { date } from '../schema/schema-moments.ts';
import { object, optional } from '../schema/schema-objects.ts';
import { reference } from '../schema/schema-values.ts';
import { boardDriver, boardJson, boardRun, boardTask } from './fields.ts';

const read = dashboardRoute({
  operation: 'board.read',
  method: 'GET',
  path: '/board',
  action: 'board.read',
  summary: 'Read a day with its tasks, runs and drivers',
  description: `One read of all that a dispatcher's board shows, in one snapshot; \`GET /changes\` goes on from \`cursor\`. Without \`date\`: today in the organization's time zone, with every open task that is due: its window begins before the day is over, or it has none. Another day has the open tasks whose window touches it. Every day has the tasks that ended on it, and those of its runs. Tasks come run by run in their order, then by window. \`driver\`, \`merchant\` and \`zone\` choose among the tasks; \`driver\` also among drivers and runs. At most ${MAXIMUM_BOARD_TASKS} tasks. Answers are compressed where \`Accept-Encoding\` allows it. The entity tag is weak: it leaves out asOf, cursor and the versions of the runs.`,
  answers: { 200: { description: 'The board.', schema: boardJson, headers: ['ETag'] } },
  query: object(
    {
      date: optional(date('By default today in the time zone of the organization.')),
      zone: optional(reference('zone', { bare: true })),
      driver: optional(reference('driver', { bare: true })),
      merchant: optional(reference('merchant', { bare: true })),
    },
    { strict: true },
  ),
  handle: async ({ actor, query, scope, context, contentType }) => {
    const zone = query.zone === null ? null : requireFound(await zones.find(scope, query.zone), 'zone');
    const { date: day, driver: driverId, merchant: merchantId } = query;
    const board = await readBoard(scope, { date: day, zone, driverId, merchantId });
    const { etag, json } = presentBoard(board, actor.role);
    const isKnown = context
      .get('if-none-match')
      .split(',')
      .some((tag) => tag.trim() === etag);
    if (isKnown) return { status: 304, headers: { etag } };
    const { body, headers } = await compressed(context, json);
    return {
      status: 200,
      body,
      contentType: `${contentType}; charset=utf-8`,
      headers: { ...headers, etag },
    };
  },
});

/** The board as JSON, with the tag of what it shows: everything but its moment and what only the moment changes. */
function presentBoard(board: Board, viewerRole: UserRole): { readonly etag: string; readonly json: string } {
  const { asOf, cursor, day, currency, timezone, isPartial } = board;
  const drivers = board.drivers.map((row) => boardDriver.presentMember(row));
  const runs = board.runs.map((row) => boardRun.presentMember(row));
  const tasks = JSON.stringify(
    board.tasks.map((row) => {
      const siblings = board.siblings.get(row.shipmentId) ?? [];
      return boardTask.presentMember({ ...row, viewerRole, siblings });
    }),
  );
  const settings = { date: day.date, currency, timezone, isPartial };
  const withoutVersions = runs.map(({ version: _version, ...run }) => run);
  const head = {
    '@context': contextPath('Board'),
    '@id': `${API_PREFIX}/board`,
    '@type': 'Board',
    asOf: asOf.toISOString(),
    cursor: formatCursor(cursor),
    ...settings,
    drivers,
    runs,
  };
  return {
    etag: `W/"${contentEtag(JSON.stringify([settings, drivers, withoutVersions]) + tasks)}"`,
    json: `${JSON.stringify(head).slice(0, -1)},"tasks":${tasks}}`,
  };
}

export const boardRoutes = [read];
