import { setTimeout as delay } from 'node:timers/promises';
import type { BenchCase, CaseContext, Measurement } from '../case.ts';
import type { Organization } from '../cast.ts';
import { inParallel, makeOrganization, SHIPMENT_BODY, untilAllRun } from '../cast.ts';
import { openHttp, textAt } from '../http-client.ts';
import type { HttpClient } from '../http-client.ts';
import { openLiveCommands } from '../live-commands.ts';
import { show } from '../report.ts';
import { median, quantile } from '../rounds.ts';

const SHIPMENTS = 10_000;
const CLIENTS = 12;
/** Time to make the shipments before their common deadline. */
const LEAD_MINUTES = 8;
const QUIET_SECONDS = 20;
const LIVE_SHIPMENTS = 700;
const RECORDED_AIM_SECONDS = 300;
const POLL_INTERVAL_MS = 250;
const MS_PER_SECOND = 1_000;
const MS_PER_MINUTE = 60_000;
const GIVE_UP_SECONDS = 900;

/** Ten thousand deadlines at the same minute: when the last one is recorded, and what live commands pay meanwhile. */
export const deadlines: BenchCase = {
  name: 'deadlines',
  title: `${SHIPMENTS} deadlines at the same minute`,
  run: async (context) => {
    const http = openHttp(context.deployment.baseUrl, CLIENTS + 1);
    try {
      return await measure(context, http);
    } finally {
      await http.close();
    }
  },
};

/** One round only: its figure is a sum over ten thousand shipments. */
async function measure(context: CaseContext, http: HttpClient): Promise<Measurement[]> {
  const { deployment, isQuick, say } = context;
  const organization = await makeOrganization(deployment);
  const live = await openLiveCommands(deployment, http, isQuick ? 150 : LIVE_SHIPMENTS);
  const due = nextWholeMinute(Date.now() + (isQuick ? 0.5 : LEAD_MINUTES) * MS_PER_MINUTE);
  await makeDueShipments(context, http, organization, due);
  const quietEnd = performance.now() + (isQuick ? 2 : QUIET_SECONDS) * MS_PER_SECOND;
  const quiet = await live.during(() => performance.now() >= quietEnd);
  if (Date.now() > due.getTime()) throw new Error('the shipments were not made before their deadline');
  say(`  the deadline is in ${show((due.getTime() - Date.now()) / MS_PER_SECOND)} s`);
  await delay(due.getTime() - Date.now());
  const state = { isOver: false };
  const times = live.during(() => state.isOver);
  const recorded = await watchRecords(context, organization).finally(() => {
    state.isOver = true;
  });
  const liveMs = quantile(await times, 0.5);
  const quietMs = quantile(quiet, 0.5);
  const voidBecause = await notAsDue(context, organization, due);
  return [
    {
      figure: 'the last missed deadline recorded',
      unit: 's',
      aim: { atMost: RECORDED_AIM_SECONDS },
      rounds: [quantile(recorded, 1)],
      remarks: [
        `half of them after ${show(median(recorded))} s, 95 % after ${show(quantile(recorded, 0.95))} s`,
      ],
      voidBecause,
    },
    {
      figure: 'live commands meanwhile, p50 through their quiet p50',
      unit: 'times',
      aim: null,
      rounds: [liveMs / quietMs],
      remarks: [
        `p50 ${show(liveMs)} ms, p95 ${show(quantile(await times, 0.95))} ms, quiet p50 ${show(quietMs)} ms`,
      ],
      voidBecause,
    },
  ];
}

async function makeDueShipments(
  { deployment, isQuick, say }: CaseContext,
  http: HttpClient,
  organization: Organization,
  due: Date,
): Promise<void> {
  const count = isQuick ? 100 : SHIPMENTS;
  const begin = performance.now();
  const ids: string[] = [];
  await inParallel(CLIENTS, count, async () => {
    const window = {
      scheduledAfter: new Date(Date.now() + MS_PER_SECOND).toISOString(),
      scheduledBefore: due.toISOString(),
    };
    const { token } = organization;
    const answer = await http.send('POST', '/shipments', { token, body: { ...SHIPMENT_BODY, ...window } });
    ids.push(textAt(answer.body, 'id'));
  });
  await untilAllRun(deployment, ids);
  say(`  ${count} shipments run after ${show((performance.now() - begin) / MS_PER_SECOND)} s`);
}

function nextWholeMinute(ms: number): Date {
  return new Date(Math.ceil(ms / MS_PER_MINUTE) * MS_PER_MINUTE);
}

/** Resolves to how many seconds after its due time each deadline was recorded, once all are. */
async function watchRecords({ deployment }: CaseContext, { id }: Organization): Promise<readonly number[]> {
  const begin = performance.now();
  for (;;) {
    const { rows } = await deployment.pool.query<{ open: number }>(
      'select count(*)::int as open from shipments where organization_id = $1 and deadline_missed_at is null',
      [id],
    );
    if (rows[0]?.open === 0) break;
    if (performance.now() - begin > GIVE_UP_SECONDS * MS_PER_SECOND)
      throw new Error(`${rows[0]?.open ?? 0} deadlines were not recorded`);
    await delay(POLL_INTERVAL_MS);
  }
  const { rows } = await deployment.pool.query<{ seconds: number }>(
    `select extract(epoch from e.recorded_at - s.delivery_deadline)::float8 as seconds
     from timeline_entries e join shipments s on s.id = e.shipment_id
     where s.organization_id = $1 and e.kind = 'deadline_missed'`,
    [id],
  );
  return rows.map(({ seconds }) => seconds);
}

/** Each deadline is recorded once, with its own due time. */
async function notAsDue({ deployment }: CaseContext, { id }: Organization, due: Date): Promise<string[]> {
  const { rows } = await deployment.pool.query<{ right: number; total: number }>(
    `select count(*)::int as total, count(*) filter (where s.delivery_deadline = $2
       and (select array_agg(e.occurred_at) from timeline_entries e where e.shipment_id = s.id and e.kind = 'deadline_missed') = array[$2::timestamptz])::int as right
     from shipments s where s.organization_id = $1`,
    [id, due],
  );
  const { right = 0, total = 0 } = rows[0] ?? {};
  return total > 0 && right === total ? [] : [`${right} of ${total} deadlines were recorded once and as due`];
}
