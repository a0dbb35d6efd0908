import { Client, Connection } from '@temporalio/client';
import { toId } from '../../domain/ids.ts';
import { shipmentWorkflowId } from '../../workflows/messages.ts';
import type { BenchCase } from '../case.ts';
import { makeShipments, makeTeam, move, openLiveCommands } from '../cast.ts';
import { atRate, timed } from '../pace.ts';
import { quantilesOf } from '../rounds.ts';

const SIGNALS = 9_000;
const FLOOD_SECONDS = 60;
const LIVE_SHIPMENTS = 300;

/** One run gets 9,000 signals within a minute: what other shipments pay, and what becomes of the run. */
export const signalFlood: BenchCase = {
  name: 'signal-flood',
  title: `${SIGNALS} signals to one run within ${FLOOD_SECONDS} s`,
  figures: [
    {
      of: 'live commands of other shipments, p50',
      unit: 'ms',
      through: 'live commands before, p50',
      aim: { atMost: 3 },
      also: ['the next command of the flooded shipment'],
    },
    // The engine rejects the 10,001st signal of a run; its history has more events than signals.
    { of: 'its longest run', unit: 'events', aim: { atMost: 10_000 } },
  ],
  warmUps: 0,
  open: async (context) => {
    const { deployment, isQuick } = context;
    const http = context.http({ connections: 10 });
    const connection = await Connection.connect({ address: deployment.temporalAddress });
    context.atEnd(() => connection.close());
    const client = new Client({ connection });
    const side = async () => {
      const [shipment] = await makeShipments(deployment, http, await makeTeam(deployment), 1);
      if (shipment === undefined) throw new Error('no shipment was made');
      const live = await openLiveCommands(context, http, isQuick ? 60 : LIVE_SHIPMENTS);
      const quiet = await live.alone();
      const workflowId = shipmentWorkflowId(toId<'shipment'>(shipment.id));
      const signals = new Array(isQuick ? 300 : SIGNALS).keys();
      const flood = atRate(SIGNALS / FLOOD_SECONDS, signals, async (index) => {
        const signal = () => client.workflow.getHandle(workflowId).signal('flood', { index });
        // A signal that meets a closing run is sent once more.
        await signal().catch(signal);
      });
      const times = await live.during(flood.then((sent) => Promise.all(sent)));
      return {
        ...quantilesOf('live commands of other shipments', times),
        ...quantilesOf('live commands before', quiet),
        'the next command of the flooded shipment': await timed(() =>
          move(http, shipment, ['pickup', 'assign']),
        ),
        'its longest run': await longestRun(client, workflowId),
      };
    };
    return { sides: [side] };
  },
};

/** The number of events of the longest of a workflow's runs. */
async function longestRun(client: Client, workflowId: string): Promise<number> {
  let longest = 0;
  for await (const run of client.workflow.list({ query: `WorkflowId = '${workflowId}'` })) {
    const { historyLength } = await client.workflow.getHandle(workflowId, run.runId).describe();
    longest = Math.max(longest, historyLength);
  }
  return longest;
}
