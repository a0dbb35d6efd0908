import { createRequire } from 'node:module';
import test from 'ava';
import { startTracing } from '../../../platform/tracing/start-tracing.ts';
import { startCollector } from '../../harness/collector.ts';
import { makeTeamWithDriver } from '../../harness/make.ts';
import { makeShipment } from '../../harness/moves.ts';
import { startReceiver } from '../../harness/receiver.ts';
import { send } from '../../harness/request.ts';
import { useService } from '../../harness/use-service.ts';

/** Traces without a collector; with one they are in test/processes/observed.test.ts. */
const service = useService();
const PARENT = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

/** The packages that make and send spans, where this process has loaded them. */
function loadedPackages(): readonly string[] {
  const files = Object.keys(createRequire(import.meta.url).cache).map((file) => file.replaceAll('\\', '/'));
  const found = files.flatMap(
    (file) => /@opentelemetry\/((?:sdk-trace|exporter-trace|otlp)[\w-]*)\//.exec(file)?.[1] ?? [],
  );
  return [...new Set(found)].toSorted();
}

test.serial('200 without a collector: the client’s traceparent reaches the receiver as it is', async (t) => {
  const receiver = await startReceiver();
  t.teardown(receiver.close);
  const { token, driver } = await makeTeamWithDriver(service, 'ROLE_DISPATCHER', {
    webhookUrl: receiver.url,
  });
  const steps = [
    [
      { transition: 'assign', driver },
      { traceparent: PARENT, tracestate: 'shop=a' },
    ],
    [{ transition: 'start_delivery' }, { traceparent: `${PARENT}-more`, tracestate: 'shop=b' }],
    [{ transition: 'deliver', proof: { recipientName: 'Amina' } }, {}],
  ] as const;
  const { delivery } = await makeShipment(service, token);
  for (const [index, [body, headers]] of steps.entries()) {
    t.is((await send(service, 'POST', `${delivery}/transition`, { token, body, headers })).status, 200);
    await receiver.waitForRequests(index + 1);
  }
  t.deepEqual(
    receiver.requests.map(({ headers }) => [headers['traceparent'], headers['tracestate']]),
    [
      [PARENT, 'shop=a'],
      [undefined, undefined],
      [undefined, undefined],
    ],
  );
});

test.serial('without a collector no package for spans is loaded, with one they are', async (t) => {
  const { log } = service.dependencies;
  await (
    await startTracing('shipment-api', null, log)
  )();
  t.deepEqual(loadedPackages(), []);
  const collector = await startCollector();
  t.teardown(collector.close);
  const stop = await startTracing(
    'shipment-api',
    { endpoint: `${collector.url}/`, headers: {}, share: 1 },
    log,
  );
  t.true(loadedPackages().includes('sdk-trace'));
  const notSampled = { traceparent: PARENT.replace(/01$/, '00') };
  t.is((await send(service, 'GET', '/docs', { headers: notSampled })).status, 200);
  t.is((await send(service, 'GET', '/health/live')).status, 200);
  t.is((await send(service, 'GET', '/nowhere/a')).status, 404);
  await stop();
  t.deepEqual(
    collector.spans.map(({ name }) => name),
    ['GET none'],
    'the last span is sent at the end; a probe has none, and neither has a trace that its client does not keep',
  );
});
