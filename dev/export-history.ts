// `npm run history:export`: writes test/workflows/histories/. With a name, `npm run history:export -- NAME`, the new
// histories are added to the old ones, which runs of the former code still follow (docs/how-to/change-workflow-code.md).
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { asJson, historiesOf, HISTORIES_FOLDER } from '../test/workflows/histories.ts';
import {
  CONTINUE_AS_NEW,
  EARLY_CONTINUATION,
  replayDeadLetter,
  SCENARIOS,
} from '../test/workflows/scenarios.ts';
import type { Scenario } from '../test/workflows/scenarios.ts';
import type { Ground, World } from '../test/workflows/world.ts';
import { makeWorld, realGround } from '../test/workflows/world.ts';
import { shipmentWorkflowId } from '../workflows/messages.ts';
import { startTestEngines } from './engines/test-engines.ts';
import { say } from './engines/progress.mjs';

const [addition] = process.argv.slice(2);
const ending = addition === undefined ? '.json' : `.${addition}.json`;

const engines = await startTestEngines();
try {
  Object.assign(process.env, engines.environment);
  const ground = await realGround();
  try {
    await exportAll(ground);
  } finally {
    await ground.close();
  }
} finally {
  await engines.keeper.close();
}

async function exportAll(ground: Ground): Promise<void> {
  const files = new Map<string, string>();
  for (const [name, scenario] of Object.entries(SCENARIOS)) {
    await record(ground, name, shipmentOf(scenario), files);
  }
  await record(ground, 'webhook-delivery', replayDeadLetter, files);
  await record(ground, 'continue-as-new', shipmentOf(CONTINUE_AS_NEW), files, {
    continueAsNewAfterEvents: EARLY_CONTINUATION,
  });
  await mkdir(HISTORIES_FOLDER, { recursive: true });
  for (const [file, json] of files) await writeFile(join(HISTORIES_FOLDER, file), json);
  say(`${files.size} histories written.`);
}

function shipmentOf(scenario: Scenario): (world: World) => Promise<string> {
  return async (world) => shipmentWorkflowId(await scenario(world));
}

async function record(
  ground: Ground,
  name: string,
  scenario: (world: World) => Promise<string>,
  files: Map<string, string>,
  settings: { readonly continueAsNewAfterEvents?: number } = {},
): Promise<void> {
  say(`Recording ${name}…`);
  const world = await makeWorld(ground, settings);
  try {
    const histories = await historiesOf(world, await scenario(world));
    histories.forEach((history, index) => {
      const file = histories.length === 1 ? name : `${name}-${index + 1}`;
      files.set(`${file}${ending}`, asJson(history));
    });
  } finally {
    await world.close();
  }
}
