import { spawn } from 'node:child_process';
import pMap from 'p-map';
import type { BenchCase } from '../case.ts';
import { JOURNEY, journey, makeShipments, makeTeam } from '../cast.ts';
import { rateOf } from '../cpu.ts';
import { show } from '../report.ts';
import { quantilesOf } from '../rounds.ts';
import { broken } from '../rows.ts';

const CLIENTS = 30;
/** Numbers of clients among which the best rate is found. */
const CLIENTS_AT_PEAK = [4, 8, 15] as const;
const SHIPMENTS_PER_CLIENT = 6;
const OVERLOADED = `transitions of ${CLIENTS} clients`;
const PEAK = `the best of ${CLIENTS_AT_PEAK.join(', ')} clients`;

/** Thirty clients without a pause while another process uses one core, against the best rate under the same handicap. */
export const overload: BenchCase = {
  name: 'overload',
  title: `${CLIENTS} clients without a pause next to a process that uses one core, against its own peak`,
  figures: [
    { of: OVERLOADED, unit: '/s', through: PEAK, aim: { atLeast: 0.8 } },
    {
      of: 'a transition of them, at most',
      unit: 'ms',
      also: ['a transition of them, p50', 'a transition of them, p99'],
    },
  ],
  open: async (context) => {
    const { deployment, isQuick, say } = context;
    const http = context.http({ connections: CLIENTS });
    const burner = spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' });
    context.atEnd(() => burner.kill('SIGKILL'));
    const team = await makeTeam(deployment);
    const measure = async (clients: number) => {
      const count = isQuick ? clients : CLIENTS * SHIPMENTS_PER_CLIENT;
      const shipments = await makeShipments(deployment, http, team, count);
      const work = () => pMap(shipments, (shipment) => journey(http, shipment), { concurrency: clients });
      const { rate, result } = await rateOf(context, `${clients} clients`, count * JOURNEY.length, work);
      say(`    ${show(rate)} /s`);
      return { rate, times: result.flat() };
    };
    return {
      sides: [
        async () => {
          const { rate, times } = await measure(CLIENTS);
          return { [OVERLOADED]: rate, ...quantilesOf('a transition of them', times) };
        },
        async () => {
          const rates: number[] = [];
          for (const clients of CLIENTS_AT_PEAK) rates.push((await measure(clients)).rate);
          return { [PEAK]: Math.max(...rates) };
        },
      ],
      check: () => broken(deployment, 'commands were applied', APPLIED_SQL, [team.organization.id]),
    };
  },
};

const APPLIED_SQL = `select count(*) as total, count(*) filter (where status = 'applied') as right
  from commands where organization_id = $1`;
