import { setTimeout as delay } from 'node:timers/promises';
import type { ShipmentId } from '../../domain/ids.ts';
import type { ShipmentWorkflowClient } from '../../workflows/client/shipment-workflow-client.ts';
import type { Comparison } from './detect.ts';
import { confirm, suspect } from './detect.ts';
import type { Finding } from './finding.ts';
import { describeFinding } from './finding.ts';
import { findOverdue } from './overdue.ts';
import { repairAll } from './repair.ts';

/** What the command is asked for. */
export interface CheckOptions {
  readonly isRepairing: boolean;
  readonly olderThanSeconds: number;
  /** How long a difference must last: what is under way at this moment is none. */
  readonly confirmAfterSeconds: number;
  /** How long a repair may take before what is left counts. */
  readonly repairWithinSeconds: number;
}

const LOOK_AGAIN_MS = 1_000;

/**
 * Compares PostgreSQL with Temporal and says each difference; with `isRepairing` it then starts or signals the workflows
 * concerned and says what is left. Resolves to the differences that are left. Rejects when one of the two is unreachable.
 */
export async function checkConsistency(
  comparison: Comparison,
  client: ShipmentWorkflowClient,
  options: CheckOptions,
  print: (line: string) => void,
): Promise<readonly Finding[]> {
  const { shipments, workflows, suspects } = await suspect(comparison);
  if (suspects.size > 0) await delay(options.confirmAfterSeconds * 1_000);
  const findings = await findingsAmong(comparison, suspects);
  for (const finding of findings) print(describeFinding(finding));
  print(
    `${shipments} open shipments and ${workflows} running workflows compared: ${findings.length === 0 ? 'no differences' : `${findings.length} differences`}.`,
  );
  if (!options.isRepairing || findings.length === 0) return findings;
  for (const { finding, reason } of await repairAll(client, findings)) {
    print(`shipment ${finding.shipmentId ?? '-'}: its repair failed: ${reason}`);
  }
  const left = await leftAfter(comparison, findings, options.repairWithinSeconds);
  for (const finding of left) print(`not repaired: ${describeFinding(finding)}`);
  print(`${findings.length - left.length} of ${findings.length} differences repaired.`);
  return left;
}

async function findingsAmong(
  comparison: Comparison,
  suspects: ReadonlySet<ShipmentId>,
): Promise<readonly Finding[]> {
  const { database, olderThanSeconds, onProgress } = comparison;
  return [
    ...(await confirm(comparison, suspects)),
    ...(await findOverdue(database, olderThanSeconds, onProgress)),
  ];
}

/** Looks again until what was found is gone, at most for so long. */
async function leftAfter(
  comparison: Comparison,
  findings: readonly Finding[],
  withinSeconds: number,
): Promise<readonly Finding[]> {
  const before = new Set(findings.map(keyOf));
  const shipments = new Set(findings.flatMap(({ shipmentId }) => (shipmentId === null ? [] : [shipmentId])));
  const deadline = performance.now() + withinSeconds * 1_000;
  for (;;) {
    const left = (await findingsAmong(comparison, shipments)).filter((finding) => before.has(keyOf(finding)));
    if (left.every(({ repair }) => repair === null) || performance.now() > deadline) return left;
    await delay(LOOK_AGAIN_MS);
  }
}

function keyOf({ kind, id }: Finding): string {
  return `${kind} ${id}`;
}
