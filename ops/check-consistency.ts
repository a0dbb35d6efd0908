import { setTimeout as delay } from 'node:timers/promises';
import { createShipmentWorkflowClient } from '../workflows/client/shipment-workflow-client.ts';
import type { Command } from './command-line.ts';
import { CommandError, readOptions, withDatabase, withTemporal } from './command-line.ts';
import type { Comparison } from './consistency/compare.ts';
import { CONCURRENT_REQUESTS, findingsAmong, suspect } from './consistency/compare.ts';
import type { Finding } from './consistency/findings.ts';
import { describeFinding, repairAll } from './consistency/findings.ts';
import { findServers } from './find-servers.ts';

const USAGE = `Usage: npm run check:consistency -- [options]

  --repair                  start or signal the workflows that need it; without it nothing is changed
  --older-than SECONDS      reports pending work from this age on (default: 60)
  --confirm-after SECONDS   checks a difference again after this time, and reports it if it persists (default: 5)
  --repair-within SECONDS   how long to wait for the repairs to take effect (default: 30)

It compares PostgreSQL with Temporal and prints each difference with what to do. The exit code is 0 when nothing differs (with
--repair: when nothing is left), 1 when something does, 2 when the comparison could not be made.`;

const OPTIONS = {
  repair: { type: 'boolean', default: false },
  'older-than': { type: 'string', default: '60' },
  'confirm-after': { type: 'string', default: '5' },
  'repair-within': { type: 'string', default: '30' },
} as const;

const PROGRESS_EVERY_MS = 5_000;
const LOOK_AGAIN_MS = 1_000;

/** Compares PostgreSQL with Temporal on a live system and prints what differs: 1 where something does. */
export const command: Command = {
  failure: 'The comparison failed. Check that Temporal is running, and check TEMPORAL_ADDRESS',
  failureCode: 2,
  run: async (line) => {
    const options = parseOptions(line.arguments);
    const { databaseUrl, temporal, taskQueue } = await findServers(line);
    const { olderThanSeconds } = options;
    const onProgress = sometimes(line.printError);
    const left = await withTemporal(temporal, (client) =>
      withDatabase(
        databaseUrl,
        (database) => {
          const comparison = { database, temporal: client, taskQueue, olderThanSeconds, onProgress };
          return checkConsistency(comparison, options, line.print);
        },
        { hasNoTimeouts: true },
      ),
    );
    return left.length === 0 ? 0 : 1;
  },
};

function parseOptions(argv: readonly string[]) {
  const values = readOptions(argv, OPTIONS, USAGE);
  const seconds = (name: 'older-than' | 'confirm-after' | 'repair-within'): number => {
    const value = Number(values[name]);
    if (Number.isInteger(value) && value >= 0 && value <= 86_400) return value;
    throw new CommandError(`--${name} must be a whole number of seconds from 0 to 86400.\n\n${USAGE}`);
  };
  return {
    isRepairing: values.repair,
    olderThanSeconds: seconds('older-than'),
    /** How long a difference must last: what is under way at this moment is none. */
    confirmAfterSeconds: seconds('confirm-after'),
    /** How long a repair may take before what is left counts. */
    repairWithinSeconds: seconds('repair-within'),
  };
}

/** Prints each difference, and what is left after the repairs. Resolves to the differences that are left. */
async function checkConsistency(
  comparison: Comparison,
  options: ReturnType<typeof parseOptions>,
  print: (line: string) => void,
): Promise<readonly Finding[]> {
  const { shipments, workflows, suspects } = await suspect(comparison);
  if (suspects.size > 0) await delay(options.confirmAfterSeconds * 1_000);
  const findings = await findingsAmong(comparison, suspects);
  for (const finding of findings) print(describeFinding(finding));
  const found = findings.length === 0 ? 'no differences' : `${findings.length} differences`;
  print(`${shipments} open shipments and ${workflows} running workflows compared: ${found}.`);
  if (!options.isRepairing || findings.length === 0) return findings;
  const { temporal, taskQueue } = comparison;
  const client = createShipmentWorkflowClient(temporal, taskQueue);
  for (const failure of await repairAll(client, findings, CONCURRENT_REQUESTS)) print(failure);
  const left = await leftAfter(comparison, findings, options.repairWithinSeconds);
  for (const finding of left) print(`not repaired: ${describeFinding(finding)}`);
  print(`${findings.length - left.length} of ${findings.length} differences repaired.`);
  return left;
}

/** Looks again until what was found is gone, at most for so long. */
async function leftAfter(
  comparison: Comparison,
  findings: readonly Finding[],
  withinSeconds: number,
): Promise<readonly Finding[]> {
  const keyOf = ({ kind, id }: Finding) => `${kind} ${id}`;
  const before = new Set(findings.map(keyOf));
  const shipments = new Set(findings.flatMap(({ shipmentId }) => shipmentId ?? []));
  const deadline = performance.now() + withinSeconds * 1_000;
  for (;;) {
    const left = (await findingsAmong(comparison, shipments)).filter((finding) => before.has(keyOf(finding)));
    if (left.every(({ repair }) => repair === null) || performance.now() > deadline) return left;
    await delay(LOOK_AGAIN_MS);
  }
}

/** Passes a line on every few seconds, so that long work is seen to go on and a short one prints none. */
function sometimes(print: (line: string) => void): (line: string) => void {
  let lastMs = performance.now();
  return (line) => {
    if (performance.now() - lastMs < PROGRESS_EVERY_MS) return;
    lastMs = performance.now();
    print(`… ${line}`);
  };
}
