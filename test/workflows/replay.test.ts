import test from 'ava';
import { Worker } from '@temporalio/worker';
import { quietRuntime } from '../harness/quiet-runtime.ts';
import { workflowBundle } from '../harness/workflow-bundle.ts';
import { PERSONAL } from '../store/shipments.ts';
import { storedHistories } from './histories.ts';
import { SCENARIOS } from './scenarios.ts';

const histories = await storedHistories();

test('a history is stored of each scenario, and several of the one that continues as new', (t) => {
  const names = histories.map(({ name }) => name);
  for (const scenario of [...Object.keys(SCENARIOS), 'webhook-delivery']) {
    t.true(
      names.some((name) => name.startsWith(`${scenario}.`)),
      scenario,
    );
  }
  t.true(names.filter((name) => name.startsWith('continue-as-new-')).length >= 4);
});

test('the workflow code of today replays every stored history', async (t) => {
  quietRuntime();
  const toReplay = histories.map(({ name, json }) => {
    const history: unknown = JSON.parse(json);
    return { workflowId: name, history };
  });
  const replayed: string[] = [];
  const results = Worker.runReplayHistories({ workflowBundle: await workflowBundle() }, toReplay);
  for await (const { workflowId, error } of results) {
    t.is(error, undefined, workflowId);
    replayed.push(workflowId);
  }
  t.deepEqual(replayed.sort(), histories.map(({ name }) => name).sort());
});

test('no stored history holds a name, a phone number, a street or an address', (t) => {
  for (const { name, json } of histories) {
    for (const word of Object.values(PERSONAL)) t.false(json.includes(word), `${name}: ${word}`);
    // Payloads are base64: what they hold is looked at in the clear too.
    const payloads = [...json.matchAll(/"data":"([^"]+)"/g)].map(([, data]) =>
      Buffer.from(data ?? '', 'base64').toString('utf8'),
    );
    t.true(payloads.length > 0, name);
    for (const word of [...Object.values(PERSONAL), 'Moreau', 'ORDER-77', '@example.com']) {
      t.false(payloads.join('\n').includes(word), `${name}: ${word}`);
    }
  }
});
