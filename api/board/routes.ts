import { MAXIMUM_BOARD_TASKS } from '../../domain/board.ts';
import { readBoard } from '../../store/board/board.ts';
import { zones } from '../../store/fleet/zones.ts';
import { dashboardRoute } from '../http/route.ts';
import { date } from '../schema/schema-moments.ts';
import { object, optional } from '../schema/schema-objects.ts';
import { reference } from '../schema/schema-values.ts';
import { writeBoard } from './answer.ts';
import { boardJson } from './fields.ts';

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
    const zone = query.zone === null ? null : await zones.find(scope, query.zone);
    const { date: day, driver: driverId, merchant: merchantId } = query;
    const filter = { date: day, zone, driverId, merchantId };
    const { etag, body, headers } = await writeBoard(context, actor.role, (take) =>
      readBoard(scope, filter, take),
    );
    const isKnown = context
      .get('if-none-match')
      .split(',')
      .some((tag) => tag.trim() === etag);
    if (isKnown) return { status: 304, headers: { etag } };
    return {
      status: 200,
      body,
      contentType: `${contentType}; charset=utf-8`,
      headers: { ...headers, etag },
    };
  },
});

export const boardRoutes = [read];
