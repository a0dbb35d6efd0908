import { setTimeout as delay } from 'node:timers/promises';
import pMap from 'p-map';
import { startReceiver } from '../../../test/harness/receiver.ts';
import type { BenchCase } from '../../case.ts';
import { JOURNEY, journey, makeShipments, makeTeam } from '../../cast.ts';
import { timed } from '../../pace.ts';
import { rowsOf, untilNone } from '../../rows.ts';

const EVENTS = 600;
const ANSWER_MS = 3_000;
const CLIENTS = 8;
const MS_PER_SECOND = 1_000;

/** A receiver that takes three seconds for each answer gets every event exactly once. */
export const slowReceiver: BenchCase = {
  name: 'neighbour-slow',
  title: `${EVENTS} events to a receiver that takes ${ANSWER_MS / MS_PER_SECOND} s`,
  figures: [
    {
      of: 'events that were not delivered by exactly one request',
      unit: 'events',
      aim: { atMost: 0 },
    },
    { of: 'until all were delivered', unit: 's' },
  ],
  warmUps: 0,
  open: async (context) => {
    const { deployment, isQuick } = context;
    const answers = () => delay(isQuick ? 200 : ANSWER_MS, 200);
    const receiver = await startReceiver({ authority: deployment.authority, answers });
    context.atEnd(receiver.close);
    const http = context.http({ connections: CLIENTS });
    const side = async () => {
      const team = await makeTeam(deployment, { webhookUrl: receiver.url });
      const count = (isQuick ? 12 : EVENTS) / JOURNEY.length;
      const shipments = await makeShipments(deployment, http, team, count);
      const values = [team.organization.id];
      const tookMs = await timed(async () => {
        await pMap(shipments, (shipment) => journey(http, shipment), { concurrency: CLIENTS });
        await untilNone(
          deployment,
          `webhook_events where organization_id = $1 and status = 'pending'`,
          values,
        );
      });
      const [row] = await rowsOf<{ readonly once: string }>(deployment, ONCE_SQL, values);
      return {
        'events that were not delivered by exactly one request': count * JOURNEY.length - Number(row?.once),
        'until all were delivered': tookMs / MS_PER_SECOND,
      };
    };
    return { sides: [side] };
  },
};

const ONCE_SQL = `select count(*) as once from webhook_events e where organization_id = $1 and status = 'delivered'
  and (select count(*) from webhook_attempts a where a.webhook_event_id = e.id) = 1`;
