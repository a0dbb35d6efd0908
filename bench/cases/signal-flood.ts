import { setTimeout as delay } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { toId } from '../../domain/ids.ts';
import { shipmentWorkflowId } from '../../workflows/messages.ts';
import type { BenchCase, CaseContext, Measurement } from '../case.ts';
import { makeOrganization, makeShipments, move } from '../cast.ts';
import { openHttp } from '../http-client.ts';
import type { HttpClient } from '../http-client.ts';
import { openLiveCommands } from '../live-commands.ts';
import { show } from '../report.ts';
import { median, quantile } from '../rounds.ts';

const SIGNALS = 9_000;
const FLOOD_SECONDS = 60;
const QUIET_SECONDS = 20;
const LIVE_SHIPMENTS = 300;
const LIVE_AIM_RATIO = 3;
/** The engine rejects the 10,001st signal of a run; its history has more events than signals. */
const EVENTS_PER_RUN_AIM = 10_000;
const MS_PER_SECOND = 1_000;

/** One run gets 9,000 signals within a minute: what other shipments pay, and what becomes of the run. */
export const signalFlood: BenchCase = {
  name: 'signal-flood',
  title: `${SIGNALS} signals to one run within ${FLOOD_SECONDS} s`,
  run: async (context) => {
    const http = openHttp(context.deployment.baseUrl, 10);
    const connection = await Connection.connect({ address: context.deployment.temporalAddress });
    try {
      return await measure(context, http, new Client({ connection }));
    } finally {
      await connection.close();
      await http.close();
    }
  },
};

interface Round {
  readonly quietMs: number;
  readonly liveMs: number;
  readonly longestRun: number;
  readonly ownMs: number;
}

async function measure(context: CaseContext, http: HttpClient, client: Client): Promise<Measurement[]> {
  const rounds: Round[] = [];
  for (let round = 1; round <= context.rounds; round += 1) {
    const figures = await oneRound(context, http, client);
    context.say(
      `  round ${round}: live ${show(figures.liveMs)} of ${show(figures.quietMs)} ms, longest run ${figures.longestRun} events, its next command ${show(figures.ownMs)} ms`,
    );
    rounds.push(figures);
  }
  return [
    {
      figure: 'live commands of other shipments, p50 through their quiet p50',
      unit: 'times',
      aim: { atMost: LIVE_AIM_RATIO },
      rounds: rounds.map(({ liveMs, quietMs }) => liveMs / quietMs),
      remarks: [
        `the next command of the flooded shipment after ${show(median(rounds.map(({ ownMs }) => ownMs)))} ms`,
      ],
      voidBecause: [],
    },
    {
      figure: 'events of its longest run',
      unit: 'events',
      aim: { atMost: EVENTS_PER_RUN_AIM },
      rounds: rounds.map(({ longestRun }) => longestRun),
      voidBecause: [],
    },
  ];
}

async function oneRound({ deployment, isQuick }: CaseContext, http: HttpClient, client: Client) {
  const organization = await makeOrganization(deployment);
  const [shipment] = await makeShipments(deployment, http, organization, 1);
  if (shipment === undefined) throw new Error('no shipment was made');
  const live = await openLiveCommands(deployment, http, isQuick ? 60 : LIVE_SHIPMENTS);
  const quietEnd = performance.now() + (isQuick ? 2 : QUIET_SECONDS) * MS_PER_SECOND;
  const quiet = await live.during(() => performance.now() >= quietEnd);
  const workflowId = shipmentWorkflowId(toId<'shipment'>(shipment.id));
  const state = { isOver: false };
  const times = live.during(() => state.isOver);
  await flood(client, workflowId, isQuick ? 300 : SIGNALS).finally(() => {
    state.isOver = true;
  });
  const begin = performance.now();
  await move(http, organization, shipment, ['pickup', 'assign']);
  const ownMs = performance.now() - begin;
  return {
    ownMs,
    quietMs: quantile(quiet, 0.5),
    liveMs: quantile(await times, 0.5),
    longestRun: await longestRun(client, workflowId),
  } satisfies Round;
}

/** Signals at an even rate, whatever is still open. A signal that meets a closing run is sent once more. */
async function flood(client: Client, workflowId: string, count: number): Promise<void> {
  const begin = performance.now();
  const rate = SIGNALS / FLOOD_SECONDS;
  const sent = Array.from({ length: count }, async (_, index) => {
    const dueAt = begin + (index / rate) * MS_PER_SECOND;
    await delay(Math.max(0, dueAt - performance.now()));
    const signal = () => client.workflow.getHandle(workflowId).signal('flood', { index });
    await signal().catch(signal);
  });
  await Promise.all(sent);
}

/** The number of events of the longest of a workflow's runs. */
async function longestRun(client: Client, workflowId: string): Promise<number> {
  let longest = 0;
  for await (const run of client.workflow.list({ query: `WorkflowId = '${workflowId}'` })) {
    const { historyLength } = await client.workflow.getHandle(workflowId, run.runId).describe();
    longest = Math.max(longest, historyLength);
  }
  return longest;
}
