import test from 'ava';
import { Client, Connection } from '@temporalio/client';
import { METRICS } from '../../platform/metrics/metric-table.ts';
import { testEngines } from '../harness/engines.ts';
import { metricsOf, readAlerts, readDashboardQueries, readOperations, readRunbook } from './watching.ts';

const runbook = readRunbook();

test('the runbook has a section for each alert, which says what it means, what to look at and what to do', (t) => {
  const sections = runbook.split(/^## /m).slice(1);
  const names = readAlerts().map(({ name }) => name);
  t.true(names.length > 10);
  t.deepEqual(
    sections.map((section) => section.split('\n')[0]).filter((title) => title !== 'Queries of the Web UI'),
    names,
  );
  for (const { name, runbook: link } of readAlerts()) {
    t.is(link, `docs/runbook.md#${name.toLowerCase()}`);
    const section = sections.find((one) => one.startsWith(`${name}\n`)) ?? '';
    for (const part of ['**Means:** ', '**Look at:** ', '**Do:** '])
      t.true(section.includes(part), name + part);
  }
});

test('alerts and dashboard name metrics of the table, of Temporal’s SDK and of Prometheus alone', (t) => {
  const known = new Set<string>(['up']);
  for (const [name, { kind }] of Object.entries(METRICS)) {
    const endings = kind === 'histogram' ? ['_bucket', '_count', '_sum'] : [''];
    for (const ending of endings) known.add(`${name}${ending}`);
  }
  const named = [...readAlerts().map(({ expression }) => expression), ...readDashboardQueries()].flatMap(
    metricsOf,
  );
  t.true(named.length > 40);
  t.deepEqual(
    named.filter((name) => !known.has(name) && !name.startsWith('temporal_')),
    [],
  );
});

test('the dashboard shows every metric of the service', (t) => {
  const shown = new Set(
    readDashboardQueries()
      .flatMap(metricsOf)
      .map((name) => name.replace(/_(bucket|count)$/, '')),
  );
  t.deepEqual(
    Object.keys(METRICS).filter((name) => !shown.has(name)),
    [],
  );
});

/** The queries of a page's table below a heading: each is the second cell of a row. */
function queriesOf(page: string, heading: string): readonly string[] {
  const [table = ''] = page.slice(page.indexOf(heading) + heading.length).split(/^## /m);
  return [...table.matchAll(/^\| [^|]+ \| `([^`]+)` +\|/gm)].map(([, query = '']) => query);
}

test('Temporal takes each query of the runbook and of the operations page', async (t) => {
  const ofRunbook = queriesOf(runbook, '## Queries of the Web UI');
  const ofOperations = queriesOf(readOperations(), '## Find a shipment');
  t.deepEqual([ofRunbook.length, ofOperations.length], [7, 10]);
  const queries = [...ofRunbook, ...ofOperations];
  const connection = await Connection.connect({ address: testEngines().temporalAddress });
  t.teardown(() => connection.close());
  const client = new Client({ connection });
  const { systemAttributes } = await connection.operatorService.listSearchAttributes({
    namespace: 'default',
  });
  for (const query of queries) {
    const [attribute = ''] = query.split(' ');
    // Servers before 1.30 do not have it.
    if (attribute === 'TemporalReportedProblems' && !(attribute in systemAttributes)) {
      t.log(`this server has no ${attribute}: ${query} is not tried`);
    } else await t.notThrowsAsync(client.workflow.count(query), query);
  }
});
