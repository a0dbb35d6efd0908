import type { BenchCase } from '../case.ts';
import { JOURNEY, makeShipments, makeTeam, openLiveCommands, sendMove, stepsOf } from '../cast.ts';
import { atRate, timed } from '../pace.ts';
import { quantilesOf } from '../rounds.ts';
import { broken, untilNone } from '../rows.ts';

const OUTAGE_SECONDS = 120;
const COMMANDS_PER_SECOND = 15;
/** The moves that each shipment gets during the outage; the last two are left for a live dispatcher. */
const MOVES = JOURNEY.slice(0, 4);
const MS_PER_SECOND = 1_000;
/** More connections than commands can wait at a time. */
const CONNECTIONS = 400;
const LIVE_SHIPMENTS = 300;

/** Temporal is frozen while commands go on: how long after its return the last is decided, and what live commands pay. */
export const outage: BenchCase = {
  name: 'outage',
  title: `Temporal frozen for ${OUTAGE_SECONDS} s under ${COMMANDS_PER_SECOND} commands a second`,
  figures: [
    {
      of: 'all commands decided after the return of Temporal',
      unit: 's',
      aim: { atMost: 60 },
    },
    {
      of: 'live commands meanwhile, p50',
      unit: 'ms',
      through: 'live commands before, p50',
      aim: { atMost: 3 },
      also: ['live commands meanwhile, p95'],
    },
  ],
  warmUps: 0,
  open: async (context) => {
    const { deployment, isQuick } = context;
    // With the shipped COMMAND_WAIT_MS: how long signals are retried decides what waits for the return.
    const environment = { COMMAND_WAIT_MS: '5000' };
    const api = await deployment.makeService('api', { name: 'shipped-api', environment });
    await api.start();
    context.atEnd(api.stop);
    const http = context.http({ baseUrl: api.baseUrl, connections: CONNECTIONS });
    const count = (isQuick ? 5 : OUTAGE_SECONDS) * COMMANDS_PER_SECOND;
    const organizationIds: string[] = [];
    const side = async () => {
      const team = await makeTeam(deployment);
      organizationIds.push(team.organization.id);
      const shipments = await makeShipments(deployment, http, team, Math.ceil(count / MOVES.length));
      const live = await openLiveCommands(context, http, isQuick ? 60 : LIVE_SHIPMENTS);
      const quiet = await live.alone();
      deployment.temporal.freeze();
      const answers = await atRate(COMMANDS_PER_SECOND, stepsOf(shipments, MOVES), (step) =>
        sendMove(http, ...step),
      ).finally(deployment.temporal.thaw);
      const times: number[] = [];
      const drainedMs = await timed(async () => {
        const waiting = `commands where organization_id = $1 and status = 'received'`;
        times.push(...(await live.during(untilNone(deployment, waiting, [team.organization.id]))));
      });
      const statuses = (await Promise.all(answers)).map(({ status }) => status);
      const rejected = statuses.filter((status) => status !== 200 && status !== 202);
      if (rejected.length > 0) throw new Error(`commands were answered ${rejected.join(', ')}`);
      return {
        'all commands decided after the return of Temporal': drainedMs / MS_PER_SECOND,
        ...quantilesOf('live commands meanwhile', times),
        ...quantilesOf('live commands before', quiet),
      };
    };
    // They were sent in an order in which the transition table allows each of them.
    const check = () => broken(deployment, 'accepted commands were applied', APPLIED_SQL, [organizationIds]);
    return { sides: [side], check };
  },
};

const APPLIED_SQL = `select count(*) as total, count(*) filter (where status = 'applied') as right
  from commands where organization_id = any($1::uuid[])`;
