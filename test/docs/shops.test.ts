import { createServer } from 'node:http';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { createInterface } from 'node:readline';
import test from 'ava';
import { makeOrganization, makeTeamWithDriver } from '../harness/make.ts';
import { move } from '../harness/moves.ts';
import { listAt, send, textAt } from '../harness/request.ts';
import { useService } from '../harness/use-service.ts';
import { isInstalled, LANGUAGES, startExample } from './languages.ts';

const service = useService();

/** A way to the service that loses the first answer: the caller gets 503, though the service has done its work. */
async function losingFirstAnswer(baseUrl: string) {
  const keys: unknown[] = [];
  const server = createServer((request, response) => {
    const { method = 'GET', url = '', headers } = request;
    const pass = async (): Promise<void> => {
      const sent = method === 'POST' ? { body: await text(request) } : {};
      const kept = {
        'x-api-key': String(headers['x-api-key']),
        'content-type': String(headers['content-type']),
        ...(method === 'POST' ? { 'idempotency-key': String(headers['idempotency-key']) } : {}),
      };
      const answer = await fetch(`${baseUrl}${url}`, { method, headers: kept, ...sent });
      const body = await answer.text();
      if (method === 'POST') keys.push(headers['idempotency-key']);
      if (method === 'POST' && keys.length === 1) response.writeHead(503, { 'retry-after': '1' }).end();
      else response.writeHead(answer.status, { 'content-type': 'application/json' }).end(body);
    };
    pass().catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    keys,
    base: `http://127.0.0.1:${address.port}/api/v1`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

for (const language of LANGUAGES) {
  test(`202 the ${language.name} shop repeats a lost answer, creates one shipment and follows it`, async (t) => {
    if (!isInstalled(t, language)) return;
    const { organization, token, driver } = await makeTeamWithDriver(service);
    const way = await losingFirstAnswer(service.baseUrl);
    t.teardown(way.close);
    const settings = { BASE: way.base, API_KEY: organization.apiKey, POLL_SECONDS: '0.2' };
    const child = startExample(t, [...(await language.start(language.shop, t)), 'order-77'], settings);
    child.stderr.pipe(process.stderr);
    const lines: string[] = [];
    for await (const line of createInterface({ input: child.stdout })) {
      lines.push(line.trim());
      if (!line.includes(' pending')) continue;
      const { body } = await send(service, 'GET', '/tasks', { token });
      t.is(listAt(body, 'member').length, 1);
      const task = textAt(body, 'member.0.@id');
      await move(service, token, task, 'assign', { driver: `/api/v1/drivers/${driver}` });
      await move(service, token, task, 'start_delivery');
      await move(service, token, task, 'deliver');
    }
    t.deepEqual(way.keys, ['order-77', 'order-77']);
    t.regex(lines[0] ?? '', /^created [0-9a-f-]{36}$/);
    t.regex(lines.at(-1) ?? '', /^TST-\S+ delivered Yanis Moreau$/);
    t.is(child.exitCode ?? (await once(child, 'exit'))[0], 0);
  });

  test(`401 the ${language.name} shop does not repeat what is wrong, and shows the problem`, async (t) => {
    if (!isInstalled(t, language)) return;
    const { apiKey } = await makeOrganization(service);
    const settings = { BASE: `${service.baseUrl}/api/v1`, API_KEY: `${apiKey}x`, POLL_SECONDS: '0.2' };
    const child = startExample(t, await language.start(language.shop, t), settings);
    const [problem] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    t.regex(problem, /^401 \{.*"title"/);
    t.is(child.exitCode, 1);
  });
}
