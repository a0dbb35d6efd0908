import { startDnsServer } from '../../../test/harness/dns-server.ts';
import { startReceiver } from '../../../test/harness/receiver.ts';
import type { CaseContext } from '../../case.ts';
import { webhookNeighbours, type BadReceivers } from './webhooks.ts';

/** One receiver that accepts and never answers. */
export const hangingReceiver = webhookNeighbours({
  name: 'neighbour-hanging',
  title: 'Webhooks next to a receiver that never answers, 250 events due',
  eventsEach: 250,
  startBadReceivers: (context) => hangingReceivers(context, 1),
});

/** Twenty of them. */
export const hangingReceivers20 = webhookNeighbours({
  name: 'neighbour-hanging-20',
  title: 'Webhooks next to 20 receivers that never answer, 2,000 events due',
  eventsEach: 100,
  startBadReceivers: (context) => hangingReceivers(context, 20),
});

/** A receiver whose host cannot be resolved, since its name servers are silent. */
export const silentNameServers = webhookNeighbours({
  name: 'neighbour-silent-name-servers',
  title: 'Webhooks next to hosts whose name servers never answer, 250 events due',
  eventsEach: 250,
  startBadReceivers: async ({ deployment, atEnd }) => {
    const server = await startDnsServer({});
    atEnd(server.close);
    await deployment.restartWorker({ WEBHOOK_NAME_SERVERS: server.address });
    atEnd(() => deployment.restartWorker({}));
    return { urls: ['https://hooks.shop.example/'], misbehave: server.keepSilent };
  },
});

async function hangingReceivers({ deployment, atEnd }: CaseContext, count: number): Promise<BadReceivers> {
  const gate = { opened: Promise.resolve(), open: (): void => undefined };
  const answers = async (): Promise<number> => {
    await gate.opened;
    return 200;
  };
  const start = () => startReceiver({ authority: deployment.authority, answers });
  const receivers = await Promise.all(Array.from({ length: count }, start));
  for (const { close } of receivers) atEnd(close);
  return {
    urls: receivers.map(({ url }) => url),
    misbehave: (isBad) => {
      if (isBad)
        gate.opened = new Promise((resolve) => {
          gate.open = resolve;
        });
      else gate.open();
    },
  };
}
