import type { CaseContext } from '../../case.ts';
import { startSilentNameServer } from '../../silent-name-server.ts';
import { startWebhookReceiver } from '../../webhook-receiver.ts';
import type { BadReceivers } from './webhooks.ts';
import { webhookNeighbours } from './webhooks.ts';

/** One receiver that accepts and never answers. */
export const hangingReceiver = webhookNeighbours(
  'neighbour-hanging',
  'Webhooks next to a receiver that never answers, 250 events due',
  (context) => hangingReceivers(context, 1, 250),
);

/** Twenty of them. */
export const hangingReceivers20 = webhookNeighbours(
  'neighbour-hanging-20',
  'Webhooks next to 20 receivers that never answer, 2,000 events due',
  (context) => hangingReceivers(context, 20, 100),
);

/** A receiver whose host cannot be resolved, since its name servers are silent. */
export const silentNameServers = webhookNeighbours(
  'neighbour-silent-name-servers',
  'Webhooks next to hosts whose name servers never answer, 250 events due',
  async ({ deployment }) => {
    const server = await startSilentNameServer();
    await deployment.restartWorker({ WEBHOOK_NAME_SERVERS: server.address });
    return {
      urls: ['https://hooks.shop.example/'],
      eventsEach: 250,
      misbehave: (isBad) => server.answer(!isBad),
      close: async () => {
        await deployment.restartWorker({});
        server.close();
      },
    };
  },
);

async function hangingReceivers(
  { deployment }: CaseContext,
  count: number,
  eventsEach: number,
): Promise<BadReceivers> {
  const receivers = await Promise.all(
    Array.from({ length: count }, () => startWebhookReceiver(deployment.authority)),
  );
  return {
    urls: receivers.map(({ url }) => url),
    eventsEach,
    misbehave: (isBad) => {
      for (const receiver of receivers) receiver.hang(isBad);
    },
    close: async () => {
      for (const receiver of receivers) await receiver.close();
    },
  };
}
