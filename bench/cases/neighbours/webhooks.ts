import pMap from 'p-map';
import { textAt } from '../../../test/harness/json.ts';
import { startReceiver, type ReceivedRequest } from '../../../test/harness/receiver.ts';
import { until } from '../../../test/harness/until.ts';
import type { BenchCase, CaseContext } from '../../case.ts';
import { JOURNEY, makeShipments, makeTeam, move, stepsOf } from '../../cast.ts';
import { quantilesOf } from '../../rounds.ts';
import { broken, untilNone } from '../../rows.ts';

const CLIENTS = 4;
const NEXT_TO = 'from the answer to the receiver, next to bad receivers';
const ALONE = 'from the answer to the receiver, alone';

/** Organizations whose receivers misbehave while another organization's webhooks are measured. */
export interface BadReceivers {
  /** The webhook URL of each organization. */
  readonly urls: readonly string[];
  /** From now on they misbehave, or end it, so that what is pending is settled soon. */
  readonly misbehave: (isBad: boolean) => void;
}

/** What the cases of webhooks next to bad receivers differ in. */
export interface WebhookNeighbours {
  readonly name: string;
  readonly title: string;
  /** Events that are due to each bad receiver. */
  readonly eventsEach: number;
  readonly startBadReceivers: (context: CaseContext) => Promise<BadReceivers>;
}

/** Makes a case: from an acknowledged transition to the receiver, next to bad receivers of others, and alone. */
export function webhookNeighbours(neighbours: WebhookNeighbours): BenchCase {
  const { name, title } = neighbours;
  return {
    ...{ name, title },
    figures: [
      { of: `${NEXT_TO}, p50`, unit: 'ms', through: `${ALONE}, p50`, aim: { atMost: 1.2 } },
      {
        of: `${NEXT_TO}, p95`,
        unit: 'ms',
        through: `${ALONE}, p95`,
        aim: { atMost: 1.5 },
        isByProduct: true,
      },
    ],
    open: (context) => open(context, neighbours),
  };
}

async function open(context: CaseContext, { eventsEach, startBadReceivers }: WebhookNeighbours) {
  const { deployment, isQuick } = context;
  const { url, arrivalOf } = await startWatchedReceiver(context);
  const bad = await startBadReceivers(context);
  const http = context.http({ connections: 3 * CLIENTS });
  const team = await makeTeam(deployment, { webhookUrl: url });
  const others = await pMap(bad.urls, (webhookUrl) => makeTeam(deployment, { webhookUrl }));
  const due = isQuick ? 10 : eventsEach;
  /** Moves of the others' shipments that are still to be made; each makes one event due. */
  const backlog: ReturnType<typeof stepsOf>[number][] = [];
  const makeEventsDue = async (): Promise<void> => {
    if (backlog.length === 0) {
      const make = (other: typeof team) => makeShipments(deployment, http, other, due);
      backlog.push(...stepsOf((await pMap(others, make, { concurrency: 1 })).flat()));
    }
    const moves = backlog.splice(0, due * others.length);
    await pMap(moves, (step) => move(http, ...step), { concurrency: 2 * CLIENTS });
  };
  /** From the answer to each transition until its event arrives, in ms; 0 where it arrived before. */
  const delays = async (): Promise<readonly number[]> => {
    const shipments = await makeShipments(deployment, http, team, isQuick ? 4 : 25);
    const ofShipment = async (shipment: (typeof shipments)[number]): Promise<readonly number[]> => {
      const times: number[] = [];
      for (const [index, step] of JOURNEY.entries()) {
        await move(http, shipment, step);
        const acknowledgedAt = performance.now();
        times.push(Math.max(0, (await arrivalOf(shipment.id, index + 1)) - acknowledgedAt));
      }
      return times;
    };
    return (await pMap(shipments, ofShipment, { concurrency: CLIENTS })).flat();
  };
  const pending = `webhook_events where organization_id = any($1::uuid[]) and status = 'pending'`;
  return {
    sides: [
      async () => {
        bad.misbehave(true);
        await makeEventsDue();
        const times = await delays();
        bad.misbehave(false);
        await untilNone(deployment, pending, [others.map(({ organization }) => organization.id)]);
        return quantilesOf(NEXT_TO, times);
      },
      async () => quantilesOf(ALONE, await delays()),
    ],
    check: () =>
      broken(deployment, 'shipments had each event delivered by one attempt', DELIVERED_SQL, [
        team.organization.id,
        JOURNEY.length,
      ]),
  };
}

/** A receiver that notes the moment, by performance.now(), at which each event of a shipment arrives. */
async function startWatchedReceiver({ deployment, atEnd }: CaseContext) {
  const arrivals = new Map<string, number[]>();
  const answers = ({ body }: ReceivedRequest): number => {
    const id = textAt(JSON.parse(body.toString('utf8')), 'shipmentId');
    arrivals.set(id, [...(arrivals.get(id) ?? []), performance.now()]);
    return 200;
  };
  const { url, close } = await startReceiver({ authority: deployment.authority, answers });
  atEnd(close);
  const arrivalOf = (shipmentId: string, nth: number): Promise<number> =>
    until(() => arrivals.get(shipmentId)?.[nth - 1], 'an event did not arrive', {
      everyMs: 5,
      giveUpMs: 600_000,
    });
  return { url, arrivalOf };
}

const DELIVERED_SQL = `select count(*) as total, count(*) filter (where events = $2 and attempts = $2) as right
  from (select (select count(*) from webhook_events e where e.shipment_id = s.id and e.status = 'delivered') as events,
      (select count(*) from webhook_attempts a join webhook_events e on e.id = a.webhook_event_id where e.shipment_id = s.id) as attempts
    from shipments s where s.organization_id = $1) sent`;
