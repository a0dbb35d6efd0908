import { setTimeout as delay } from 'node:timers/promises';
import pMap from 'p-map';
import type { BenchCase } from '../case.ts';
import { makeTeam, openLiveCommands, SHIPMENT_BODY } from '../cast.ts';
import { show } from '../report.ts';
import { quantilesOf } from '../rounds.ts';
import { broken, rowsOf, untilAllRun, untilNone } from '../rows.ts';

const SHIPMENTS = 10_000;
const CLIENTS = 12;
/** Time to make the shipments before their common deadline. */
const LEAD_MINUTES = 8;
const LIVE_SHIPMENTS = 700;
const MS_PER_SECOND = 1_000;
const MS_PER_MINUTE = 60_000;

/** Ten thousand deadlines at the same minute: when the last one is recorded, and what live commands pay meanwhile. */
export const deadlines: BenchCase = {
  name: 'deadlines',
  title: `${SHIPMENTS} deadlines at the same minute`,
  figures: [
    {
      of: 'a missed deadline recorded, at most',
      unit: 's',
      aim: { atMost: 300 },
      also: ['a missed deadline recorded, p50', 'a missed deadline recorded, p95'],
    },
    {
      of: 'live commands meanwhile, p50',
      unit: 'ms',
      through: 'live commands before, p50',
      also: ['live commands meanwhile, p95'],
    },
  ],
  warmUps: 0,
  mostRounds: 1,
  open: async (context) => {
    const { deployment, isQuick, say } = context;
    const http = context.http({ connections: CLIENTS + 1 });
    const { organization, token } = await makeTeam(deployment);
    const due = new Date(
      Math.ceil(Date.now() / MS_PER_MINUTE + (isQuick ? 0.5 : LEAD_MINUTES)) * MS_PER_MINUTE,
    );
    const makeDueShipment = async (): Promise<void> => {
      const scheduledAfter = new Date(Date.now() + MS_PER_SECOND).toISOString();
      const body = { ...SHIPMENT_BODY, scheduledAfter, scheduledBefore: due.toISOString() };
      const { status } = await http.send('POST', '/shipments', { token, body });
      if (status !== 201) throw new Error(`a creation was answered ${status}`);
    };
    const side = async () => {
      const live = await openLiveCommands(context, http, isQuick ? 150 : LIVE_SHIPMENTS);
      await pMap(new Array(isQuick ? 100 : SHIPMENTS).keys(), makeDueShipment, { concurrency: CLIENTS });
      await untilAllRun(deployment, organization.id);
      const quiet = await live.alone();
      if (Date.now() > due.getTime()) throw new Error('the shipments were not made before their deadline');
      say(`  the deadline is in ${show((due.getTime() - Date.now()) / MS_PER_SECOND)} s`);
      await delay(due.getTime() - Date.now());
      const open = 'shipments where organization_id = $1 and deadline_missed_at is null';
      const times = await live.during(untilNone(deployment, open, [organization.id]));
      const rows = await rowsOf<{ readonly seconds: number }>(deployment, RECORDED_SQL, [organization.id]);
      const recorded = rows.map(({ seconds }) => seconds);
      return {
        ...quantilesOf('a missed deadline recorded', recorded),
        ...quantilesOf('live commands meanwhile', times),
        ...quantilesOf('live commands before', quiet),
      };
    };
    const check = () =>
      broken(deployment, 'deadlines were recorded once and as due', AS_DUE_SQL, [organization.id, due]);
    return { sides: [side], check };
  },
};

const RECORDED_SQL = `select extract(epoch from e.recorded_at - s.delivery_deadline)::float8 as seconds
  from timeline_entries e join shipments s on s.id = e.shipment_id
  where s.organization_id = $1 and e.kind = 'deadline_missed'`;

const AS_DUE_SQL = `select count(*) as total, count(*) filter (where s.delivery_deadline = $2
    and (select array_agg(e.occurred_at) from timeline_entries e
      where e.shipment_id = s.id and e.kind = 'deadline_missed') = array[$2::timestamptz]) as right
  from shipments s where s.organization_id = $1`;
