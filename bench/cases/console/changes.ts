import { request } from 'undici';
import { makeUser, type Team } from '../../../test/harness/make.ts';
import { until } from '../../../test/harness/until.ts';
import type { BenchCase, CaseContext } from '../../case.ts';
import { makeShipments, makeTeam, sendMove } from '../../cast.ts';
import { rateOf } from '../../cpu.ts';
import { atRate } from '../../pace.ts';
import { quantilesOf } from '../../rounds.ts';

const STREAMS = 50;
/** A user may have ten. */
const STREAMS_OF_A_USER = 5;
const CHANGES_A_SECOND = 20;
const SECONDS = 15;
const CLIENTS = 20;
const ASSIGN = ['pickup', 'assign'] as const;
const SEEN = `from the answer to the event, ${STREAMS} streams`;

/** What is changed elsewhere: when the others see it, and what it costs to tell them. */
export const consoleChanges: BenchCase = {
  name: 'console-changes',
  title: `A change made elsewhere, ${CHANGES_A_SECOND} a second, on each of ${STREAMS} streams`,
  figures: [
    { of: `${SEEN}, p95`, unit: 'ms', aim: { atMost: 500 }, also: [`${SEEN}, p50`, `${SEEN}, at most`] },
  ],
  open: async (context) => {
    const { deployment, isQuick } = context;
    const http = context.http({ connections: CLIENTS });
    const team = await makeTeam(deployment);
    const count = isQuick ? CHANGES_A_SECOND : CHANGES_A_SECOND * SECONDS;
    /** Makes the changes at an even rate; resolves to when each task's was answered. */
    const change = async (name: string): Promise<ReadonlyMap<string, number>> => {
      const shipments = await makeShipments(deployment, http, team, count);
      const answered = new Map<string, number>();
      const act = async (shipment: (typeof shipments)[number]): Promise<void> => {
        const { status } = await sendMove(http, shipment, ASSIGN);
        if (status !== 200) throw new Error(`a move was answered ${status}`);
        answered.set(shipment.pickup, performance.now());
      };
      const work = async () => Promise.all(await atRate(CHANGES_A_SECOND, shipments, act));
      await rateOf(context, name, count, work);
      return answered;
    };
    const followed = async () => {
      const streams = await openStreams(context, team);
      const answered = await change(`changes with ${STREAMS} streams`);
      const isComplete = () =>
        streams.every(({ seenAt }) => [...answered.keys()].every((task) => seenAt.has(task)));
      await until(isComplete, 'a change did not come to each stream', { everyMs: 50 });
      for (const { close } of streams) close();
      const times = streams.flatMap(({ seenAt }) =>
        [...answered].map(([task, atMs]) => Math.max(0, (seenAt.get(task) ?? Number.NaN) - atMs)),
      );
      return quantilesOf(SEEN, times);
    };
    const alone = async () => {
      await change('changes that nobody follows');
      return {};
    };
    return { sides: [followed, alone] };
  },
};

interface Stream {
  /** When the event of an assigned task came first. */
  readonly seenAt: ReadonlyMap<string, number>;
  readonly close: () => void;
}

/** Opens the streams of several dispatchers; each has begun. They read text alone, so that reading it costs little. */
async function openStreams({ deployment, atEnd }: CaseContext, team: Team): Promise<readonly Stream[]> {
  const streams: Stream[] = [];
  for (let user = 0; user < STREAMS / STREAMS_OF_A_USER; user += 1) {
    const { token } = await makeUser(deployment, team.organization, 'ROLE_DISPATCHER');
    for (let own = 0; own < STREAMS_OF_A_USER; own += 1) {
      const stream = await openStream(deployment.baseUrl, token);
      atEnd(stream.close);
      streams.push(stream);
    }
  }
  return streams;
}

const ASSIGNED = /"@id":"(\/api\/v1\/tasks\/[^"]+)"[^\n]*?"status":"assigned"/;

async function openStream(baseUrl: string, token: string): Promise<Stream> {
  const { body, statusCode } = await request(`${baseUrl}/api/v1/changes`, {
    headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream' },
    bodyTimeout: 0,
  });
  if (statusCode !== 200) throw new Error(`a stream was answered ${statusCode}`);
  const seenAt = new Map<string, number>();
  const state = { rest: '', hasBegun: false };
  body.setEncoding('utf8');
  body.on('error', () => undefined);
  body.on('data', (part: string) => {
    const now = performance.now();
    const lines = `${state.rest}${part}`.split('\n');
    state.rest = lines.pop() ?? '';
    for (const line of lines) {
      state.hasBegun ||= line.startsWith('id: ');
      const [, task] = ASSIGNED.exec(line) ?? [];
      if (task !== undefined && !seenAt.has(task)) seenAt.set(task, now);
    }
  });
  await until(() => state.hasBegun, 'a stream did not begin');
  return { seenAt, close: () => body.destroy() };
}
