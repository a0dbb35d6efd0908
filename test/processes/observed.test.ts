import { randomUUID } from 'node:crypto';
import test from 'ava';
import type { SpanRow } from '../../platform/tracing/span-table.ts';
import { SPANS } from '../../platform/tracing/span-table.ts';
import type { Collector } from '../harness/collector.ts';
import { startCollector } from '../harness/collector.ts';
import { makeTeamWithDriver, makeUser, shipmentBodyWith } from '../harness/make.ts';
import type { TeamWithDriver } from '../harness/make.ts';
import { makeShipment, move } from '../harness/moves.ts';
import { startReceiver } from '../harness/receiver.ts';
import { at, send } from '../harness/request.ts';
import { until } from '../harness/until.ts';
import { useService } from '../harness/use-service.ts';
import { metricsOf, readAlerts, readDashboardQueries } from '../ops/watching.ts';
import type { ObservedProcesses } from './observed-processes.ts';
import { loggedLines, startObserved } from './observed-processes.ts';

/** What the API and the worker tell their operator, over their private ports and in their logs. */
const service = useService({ withWorkers: false });
const TRANSITION = '/api/v1/tasks/{id}/transition';

let collector: Collector;
let observed: ObservedProcesses;
test.serial.before(async () => {
  collector = await startCollector();
  observed = await startObserved(service, {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=shipments%20of%20ours',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
  });
});
test.serial.after.always(async () => {
  await observed.kill();
  await collector.close();
});

async function team(options: Parameters<typeof makeTeamWithDriver>[2] = {}): Promise<TeamWithDriver> {
  return makeTeamWithDriver(service, 'ROLE_DISPATCHER', options);
}

test.serial('the metrics agree with what the client counted', async (t) => {
  const receiver = await startReceiver({ answers: [500, 200] });
  t.teardown(receiver.close);
  const { token, driver } = await team({ webhookUrl: receiver.url });
  const target = { ...service, baseUrl: observed.api.baseUrl };
  const { iri, delivery } = await makeShipment(target, token);
  await move(target, token, delivery, 'assign', { driver });
  await move(target, token, delivery, 'start_delivery');
  const body = { transition: 'start_delivery' };
  t.is((await send(target, 'POST', `${delivery}/transition`, { token, body })).status, 409);
  await move(target, token, delivery, 'deliver', { proof: { recipientName: 'Amina Haddad' } });
  t.is((await send(target, 'GET', iri, { token })).status, 200);
  t.is((await send(target, 'GET', `/shipments/${randomUUID()}`, { token })).status, 404);

  const api = await observed.metrics.api();
  const requests = (route: string, method: string, status: string) =>
    api.value('http_server_request_duration_seconds_count', { route, method, status });
  t.is(requests('/api/v1/shipments', 'POST', '201'), 1);
  t.is(requests(TRANSITION, 'POST', '200'), 3);
  t.is(requests(TRANSITION, 'POST', '409'), 1);
  t.is(requests('/api/v1/shipments/{id}', 'GET', '200'), 1);
  t.is(requests('/api/v1/shipments/{id}', 'GET', '404'), 1);
  t.is(api.value('commands_accepted_total'), 4);
  t.is(api.value('workflow_signals_total', { result: 'sent' }), 4);

  const eventIds = () => new Set(receiver.requests.map(({ headers }) => headers['x-service-event-id']));
  const worker = await until(async () => {
    const read = await observed.metrics.worker();
    const attempts = read.value('webhook_attempt_duration_seconds_count');
    const isSettled = read.value('webhook_events_pending') === 0 && read.value('commands_undecided') === 0;
    const hasAll = read.value('webhook_lag_seconds_count') === eventIds().size;
    return isSettled && hasAll && attempts === receiver.requests.length ? read : undefined;
  }, 'the metrics do not count every attempt');
  t.is(worker.value('command_latency_seconds_count', { outcome: 'applied' }), 3);
  t.is(worker.value('command_latency_seconds_count', { kind: 'start_delivery', outcome: 'rejected' }), 1);
  t.is(worker.value('webhook_events_settled_total', { result: 'delivered' }), eventIds().size);
  t.is(worker.value('webhook_lag_seconds_count', { round: 'first' }), eventIds().size);
  t.is(worker.value('webhook_attempt_duration_seconds_count', { attempt: '1', result: 'retry' }), 1);
  t.is(worker.value('webhook_attempt_duration_seconds_count', { attempt: '2', result: 'delivered' }), 1);
  t.is(worker.value('dependency_up'), 2);
  t.true(
    ((await observed.metrics.temporal()).value('temporal_workflow_task_queue_poll_succeed_total') ?? 0) > 0,
  );
});

test.serial('every metric of alerts and dashboard is there', async (t) => {
  const reads = await Promise.all(Object.values(observed.metrics).map((read) => read()));
  const there = new Set(reads.flatMap(({ names }) => [...names]));
  const named = [...readAlerts().map(({ expression }) => expression), ...readDashboardQueries()];
  const missing = named.flatMap(metricsOf).filter((name) => name !== 'up' && !there.has(name));
  t.deepEqual(missing, []);
});

test.serial('a line for each request names command, workflow and organization, and no person', async (t) => {
  const { token, driver, organization } = await team();
  const target = { ...service, baseUrl: observed.api.baseUrl };
  const { delivery, id } = await makeShipment(target, token, {
    fields: { notes: 'Code 4711, ask for Nadia' },
  });
  const clientRequestId = `trace-${randomUUID()}`;
  const answer = await send(target, 'POST', `${delivery}/transition`, {
    token,
    body: { transition: 'assign', driver },
    headers: { 'x-request-id': clientRequestId },
  });
  t.is(answer.status, 200);
  const requestId = answer.headers.get('x-request-id') ?? '';
  const ownLines = await until(() => {
    const own = loggedLines(observed.api).filter((entry) => at(entry, 'requestId') === requestId);
    return own.length > 0 ? own : undefined;
  }, 'the request has no line');
  t.is(ownLines.length, 1);
  const [line] = ownLines;
  t.like(line, {
    msg: 'request completed',
    method: 'POST',
    route: TRANSITION,
    status: 200,
    organizationId: organization.id,
    workflowId: `shipment-${id}`,
    clientRequestId,
  });
  const command = await send(target, 'GET', `/commands/${String(at(line, 'commandId'))}`, { token });
  t.is(at(command.body, 'status'), 'applied');
  for (const process of [observed.api, observed.worker]) {
    const text = process.output();
    for (const personal of ['4711', 'Nadia', '+336', '@example.com', token])
      t.false(text.includes(personal), personal);
  }
});

test.serial('a request is one trace, from the client over both processes to the receiver', async (t) => {
  const receiver = await startReceiver({ answers: [500, 200] });
  t.teardown(receiver.close);
  const { token, driver, organization } = await team({ webhookUrl: receiver.url });
  const target = { ...service, baseUrl: observed.api.baseUrl };
  const { delivery, id } = await makeShipment(target, token);
  const traceId = randomUUID().replaceAll('-', '');
  const client = { traceparent: `00-${traceId}-00f067aa0ba902b7-01`, tracestate: 'shop=a,other=b' };
  const answer = await send(target, 'POST', `${delivery}/transition`, {
    token,
    body: { transition: 'assign', driver },
    headers: client,
  });
  t.is(answer.status, 200);
  await receiver.waitForRequests(2);

  const names = [`POST ${TRANSITION}`, 'accept command', 'signal workflow', 'decide command', 'send webhook'];
  const isWhole = () =>
    collector.spans.filter((span) => span.traceId === traceId).length === names.length + 1;
  await until(isWhole, 'the trace has not one span for each step and each attempt');
  const spans = collector.spans.filter((span) => span.traceId === traceId);
  const [request, accept, signal, decide] = names.map((name) => spans.find((span) => span.name === name));
  const attempts = spans.filter(({ name }) => name === 'send webhook');
  if (!request || !accept || !signal || !decide) return t.fail('a span is missing');

  t.is(request.parentId, '00f067aa0ba902b7');
  t.is(accept.parentId, request.spanId);
  t.is(signal.parentId, accept.spanId);
  t.is(decide.parentId, accept.spanId);
  t.deepEqual(
    attempts.map(({ parentId }) => parentId),
    [decide.spanId, decide.spanId],
  );
  t.deepEqual(
    receiver.requests.map(({ headers }) => [headers['traceparent'], headers['tracestate']]),
    attempts.map(({ spanId }) => [`00-${traceId}-${spanId}-01`, client.tracestate]),
  );
  t.deepEqual(
    [request, accept, signal, decide, ...attempts].map(({ service: from, kind, hasFailed }) => [
      from,
      kind,
      hasFailed,
    ]),
    [
      ['shipment-api', 2, false],
      ['shipment-api', 4, false],
      ['shipment-api', 3, false],
      ['shipment-worker', 5, false],
      ['shipment-worker', 3, true],
      ['shipment-worker', 3, false],
    ],
  );
  const requestId = answer.headers.get('x-request-id') ?? '';
  const line = loggedLines(observed.api).find((entry) => at(entry, 'requestId') === requestId);
  t.is(at(line, 'traceId'), traceId);
  t.like(request.attributes, {
    'http.route': TRANSITION,
    'http.response.status_code': '200',
    'shipments.request.id': requestId,
    'shipments.organization.id': organization.id,
  });
  t.like(decide.attributes, {
    'shipments.command.id': String(at(line, 'commandId')),
    'shipments.command.kind': 'assign',
    'shipments.command.outcome': 'applied',
    'shipments.shipment.id': id,
  });
  t.like(attempts[1]?.attributes, {
    'shipments.webhook_event.id': receiver.requests[1]?.headers['x-service-event-id'],
    'shipments.webhook.attempt': '2',
    'shipments.webhook.result': 'delivered',
  });
  t.is(collector.headers[0]?.['x-tenant'], 'shipments of ours');
  t.true(collector.text().includes('deployment.environment.name'));
});

test.serial('a creation by an API key and a replay belong to the traces of their requests', async (t) => {
  const receiver = await startReceiver();
  t.teardown(receiver.close);
  const { organization } = await team({ webhookUrl: receiver.url });
  const target = { ...service, baseUrl: observed.api.baseUrl };
  const accepted = await send(target, 'POST', '/external/shipments', {
    headers: { 'x-api-key': organization.apiKey },
    body: shipmentBodyWith(),
  });
  t.is(accepted.status, 202);
  const created = await until(
    () =>
      collector.spans.find(
        ({ attributes }) => attributes['shipments.shipment.id'] === at(accepted.body, 'id'),
      ),
    'the creation has no span',
  );
  const whole = await collector.traceOf(created.traceId, ['POST /api/v1/external/shipments']);
  const root = whole.find(({ parentId }) => parentId === '');
  t.is(root?.name, 'POST /api/v1/external/shipments', 'a request without a traceparent begins a trace');
  t.is(created.parentId, root?.spanId ?? '');
  const admin = await makeUser(service, organization, 'ROLE_ORG_ADMIN');
  const traceId = randomUUID().replaceAll('-', '');
  const tested = await send(target, 'POST', `/organizations/${organization.id}/webhook-test`, {
    token: admin.token,
    headers: { traceparent: `00-${traceId}-00f067aa0ba902b7-01` },
  });
  t.is(tested.status, 202);
  await receiver.waitForRequests(1);
  const replayed = randomUUID().replaceAll('-', '');
  await until(async () => {
    const answer = await send(target, 'POST', `${String(at(tested.body, '@id'))}/replay`, {
      token: admin.token,
      headers: { traceparent: `00-${replayed}-00f067aa0ba902b7-01` },
    });
    return answer.status === 202;
  }, 'the delivery does not end');
  await receiver.waitForRequests(2);
  for (const [index, id] of [traceId, replayed].entries()) {
    const spans = await collector.traceOf(id, ['send webhook']);
    const attempt = spans.find(({ name }) => name === 'send webhook');
    t.is(receiver.requests[index]?.headers['traceparent'], `00-${id}-${attempt?.spanId ?? ''}-01`);
    t.is(attempt?.attributes['shipments.webhook.round'], String(index));
  }
});

test.serial('no span has a person, a path as it was sent, or what a request said', (t) => {
  const known = Object.values<SpanRow>(SPANS).flatMap(({ attributes }) => Object.keys(attributes));
  t.true(collector.spans.length > 10);
  for (const { name, attributes } of collector.spans) {
    t.notRegex(name, /[0-9a-f]{8}-|\?/);
    const others = Object.keys(attributes).filter((one) => one !== 'error.type' && !known.includes(one));
    t.deepEqual(others, [], name);
  }
  for (const personal of ['Amina', 'Haddad', 'Rivoli', '+336', '@example.com', '127.0.0.1', 'localhost'])
    t.false(collector.text().includes(personal), personal);
});

test.serial(
  'SIGUSR2 makes the log verbose without a restart, the next one makes it usual again',
  async (t) => {
    const { api } = observed;
    const probes = () => loggedLines(api).filter((line) => at(line, 'route') === '/health/live').length;
    const changes = () => loggedLines(api).filter((line) => at(line, 'msg') === 'log level changed');
    const changeLevel = async (count: number) => {
      api.signal('SIGUSR2');
      await until(() => changes().length === count, 'the level did not change');
    };
    const before = probes();
    await changeLevel(1);
    await api.health('live');
    await until(() => probes() === before + 1, 'the probe has no line');
    await changeLevel(2);
    await api.health('live');
    await changeLevel(3);
    t.deepEqual(
      changes().map((line) => at(line, 'logLevel')),
      ['debug', 'info', 'debug'],
    );
    t.is(probes(), before + 1);
    await changeLevel(4);
  },
);
