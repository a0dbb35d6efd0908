import pMap from 'p-map';
import { openBareLoop, type BareLoop } from '../bare-loop/client.ts';
import type { BenchCase } from '../case.ts';
import { JOURNEY, journey, makeShipments, makeTeam, type MadeShipment } from '../cast.ts';
import { rateOf } from '../cpu.ts';
import { timesOf } from '../pace.ts';
import { median } from '../rounds.ts';
import { broken } from '../rows.ts';

const CLIENTS = 30;
const SERVICE = `transitions through HTTP, ${CLIENTS} clients`;
const BARE = `bare loop, ${CLIENTS} clients`;
const SERVICE_ALONE = 'a transition through HTTP, one client, p50';
const BARE_ALONE = 'bare loop, one client, p50';

/**
 * Transitions through HTTP against a bare loop on the same server. Both sides move things that were started before the
 * clock; six moves each, the last of which ends the run.
 */
export const transitions: BenchCase = {
  name: 'transitions',
  title: 'Transitions through HTTP against a signal, one activity, one insert',
  figures: [
    { of: SERVICE, unit: '/s', through: BARE, aim: { atLeast: 0.8 } },
    { of: SERVICE_ALONE, unit: 'ms', through: BARE_ALONE, aim: { atMost: 1.5 } },
  ],
  open: async (context) => {
    const { deployment, isQuick } = context;
    const bare = await openBareLoop(context);
    const http = context.http({ connections: CLIENTS });
    const team = await makeTeam(deployment);
    const [many, few] = isQuick ? [CLIENTS, 3] : [CLIENTS * 4, 25];
    const rate = async <Thing>(name: string, things: readonly Thing[], act: Journey<Thing>) => {
      const work = () => pMap(things, act, { concurrency: CLIENTS });
      return (await rateOf(context, name, things.length * JOURNEY.length, work)).rate;
    };
    const ours = (shipment: MadeShipment) => journey(http, shipment);
    const plain = (run: string) => timesOf(JOURNEY.length, () => bare.move(run));
    return {
      sides: [
        async () => ({
          [SERVICE]: await rate('HTTP', await makeShipments(deployment, http, team, many), ours),
          [SERVICE_ALONE]: await latency(await makeShipments(deployment, http, team, few), ours),
        }),
        async () => ({
          [BARE]: await rate('bare', await startedRuns(bare, many), plain),
          [BARE_ALONE]: await latency(await startedRuns(bare, few), plain),
        }),
      ],
      check: async () => [
        ...(await broken(deployment, 'shipments made their six moves once and in order', MOVED_SQL, [
          team.organization.id,
          JOURNEY.map(([, transition]) => transition),
        ])),
        ...(await bare.lost()),
      ],
    };
  },
};

/** All moves of a thing; resolves to how long each took, in ms. */
type Journey<Thing> = (thing: Thing) => Promise<readonly number[]>;

async function latency<Thing>(things: readonly Thing[], act: Journey<Thing>): Promise<number> {
  return median((await pMap(things, act, { concurrency: 1 })).flat());
}

/** Runs whose first task is done: an insert before the clock, so that both sides move what runs already. */
function startedRuns(bare: BareLoop, count: number): Promise<readonly string[]> {
  const start = async (): Promise<string> => {
    const run = await bare.start(JOURNEY.length + 1);
    await bare.move(run);
    return run;
  };
  return pMap(new Array(count).keys(), start, { concurrency: 8 });
}

/** Each shipment has its transitions, each once and in order, and no command that waits. */
const MOVED_SQL = `select count(*) as total,
    count(*) filter (where status = 'delivered' and moves = $2::text[] and not has_waiting) as right
  from (select s.status,
      (select array_agg(t.transition order by t.sequence) from timeline_entries t
        where t.shipment_id = s.id and t.kind = 'transition') as moves,
      exists (select from commands c where c.shipment_id = s.id and c.status <> 'applied') as has_waiting
    from shipments s where s.organization_id = $1) journeys`;
