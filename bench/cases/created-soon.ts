import { setTimeout as delay } from 'node:timers/promises';
import { textAt } from '../../test/harness/json.ts';
import type { TeamWithDriver } from '../../test/harness/make.ts';
import { openBareLoop } from '../bare-loop/client.ts';
import type { BenchCase, CaseContext } from '../case.ts';
import { makeTeam, SHIPMENT_BODY } from '../cast.ts';
import { rateOf } from '../cpu.ts';
import { atRate, repeatDuring } from '../pace.ts';
import { quantilesOf } from '../rounds.ts';
import { broken, rowsOf } from '../rows.ts';

const SHARE_OF_BARE_RATE = 0.75;
const HOLD_SECONDS = 60;
/** Below the shipped limit of 100 a minute, so that each organization stays within it. */
const CREATES_PER_ORGANIZATION_MINUTE = 90;
const CONNECTIONS = 100;
const POLL_INTERVAL_MS = 25;
const SECONDS_PER_MINUTE = 60;

/**
 * External creates at three quarters of the rate at which the machine starts bare workflows, held for a minute: how long
 * after its 202 each shipment exists, and how long the 202 takes. Requests are sent by the clock, whatever is still open.
 */
export const createdSoon: BenchCase = {
  name: 'created-soon',
  title: `External creates at ${SHARE_OF_BARE_RATE} of the bare start rate, held for ${HOLD_SECONDS} s`,
  figures: [
    {
      of: 'from the 202 until the shipment exists, p95',
      unit: 'ms',
      aim: { atMost: 2_000 },
      also: [
        'from the 202 until the shipment exists, p50',
        'from the 202 until the shipment exists, at most',
      ],
    },
    { of: 'until the 202, p99', unit: 'ms', aim: { atMost: 100 }, also: ['until the 202, p50'] },
    { of: 'creates', unit: '/s', also: ['bare starts'] },
  ],
  open: async (context) => {
    const { deployment, isQuick } = context;
    const bare = await openBareLoop(context);
    const send = makeSender(context);
    const ids: string[] = [];
    const side = async () => {
      const bareRate = await bare.startRate(isQuick ? 40 : 800);
      const rate = SHARE_OF_BARE_RATE * bareRate;
      const teams: TeamWithDriver[] = [];
      const needed = Math.ceil((rate * SECONDS_PER_MINUTE) / CREATES_PER_ORGANIZATION_MINUTE);
      while (teams.length < needed) teams.push(await makeTeam(deployment));
      const count = Math.floor(rate * (isQuick ? 2 : HOLD_SECONDS));
      const { result } = await rateOf(context, 'creates', count, () => send(teams, rate, count));
      ids.push(...result.ids);
      return {
        ...quantilesOf('from the 202 until the shipment exists', result.creations),
        ...quantilesOf('until the 202', result.accepts),
        creates: rate,
        'bare starts': bareRate,
      };
    };
    const check = async (): Promise<readonly string[]> => [
      ...(new Set(ids).size === ids.length ? [] : ['shipments were answered twice']),
      ...(await broken(deployment, 'creates are one whole shipment', WHOLE_SQL, [ids])),
      ...(await bare.lost()),
    ];
    return { sides: [side], check };
  },
};

interface Held {
  readonly ids: readonly string[];
  /** Both in ms. */
  readonly accepts: readonly number[];
  readonly creations: readonly number[];
}

/** Makes what sends `count` creates of some teams at an even rate, and waits until all of them exist. */
function makeSender({ deployment, http: open }: CaseContext) {
  const http = open({ connections: CONNECTIONS });
  return async (teams: readonly TeamWithDriver[], rate: number, count: number): Promise<Held> => {
    const acceptedAt = new Map<string, number>();
    const accepts: number[] = [];
    const creations: number[] = [];
    const create = async (index: number, dueAt: number): Promise<string> => {
      const key = teams[index % teams.length]?.organization.apiKey ?? '';
      const { status, body } = await http.send('POST', '/external/shipments', { key, body: SHIPMENT_BODY });
      // From the moment it was due: a client that is held up does not make the service look quicker.
      accepts.push(performance.now() - dueAt);
      if (status !== 202) throw new Error(`a create was answered ${status}`);
      const id = textAt(body, 'id');
      acceptedAt.set(id, performance.now());
      return id;
    };
    const look = async (): Promise<void> => {
      const sql = 'select id from shipments where id = any($1::uuid[])';
      const existing = await rowsOf<{ readonly id: string }>(deployment, sql, [[...acceptedAt.keys()]]);
      const now = performance.now();
      for (const { id } of existing) {
        creations.push(now - (acceptedAt.get(id) ?? now));
        acceptedAt.delete(id);
      }
      await delay(POLL_INTERVAL_MS);
    };
    const creates = atRate(rate, new Array(count).keys(), create);
    const ids = await repeatDuring(
      creates.then((begun) => Promise.all(begun)),
      look,
    );
    while (acceptedAt.size > 0) await look();
    return { ids, accepts, creations };
  };
}

const WHOLE_SQL = `select cardinality($1::uuid[]) as total, count(*) as right from shipments s where id = any($1::uuid[])
  and (select count(*) from tasks t where t.shipment_id = s.id) = 1
  and (select count(*) from timeline_entries e where e.shipment_id = s.id) = 1`;
