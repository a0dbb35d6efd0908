import { checkConsistencyOf } from './consistency.ts';
import { drive } from './simulated-client.ts';
import type { Violation } from './checker/history.ts';
import { randomOf } from './random.ts';
import { Recorder } from './recorder.ts';
import type { RoundResult } from './round.ts';
import { checkRecorded, clientsOf, settleAll } from './round.ts';
import type { TestBed } from './test-bed.ts';

const GIVE_UP_MS = 240_000;

/**
 * Drives every shipment that an earlier round left open to its end, and checks each whole history once more: what was true
 * after its own round has to be true after all later ones. In the end the operator's command must find no difference.
 */
export async function finishShipments(
  bed: TestBed,
  seed: number,
  rounds: readonly RoundResult[],
): Promise<RoundResult> {
  const violations: Violation[] = [];
  for (const { recorder, violations: reported } of rounds) {
    const { context, giveUpIn } = clientsOf(bed, recorder);
    giveUpIn(GIVE_UP_MS);
    const way = { detours: 0, pauseMs: 0, leavesAfter: Infinity };
    await Promise.all(
      recorder.shipmentIds.map((id) => drive(context, randomOf(seed, 'finish', id), id, way)),
    );
    const remaining = await settleAll(bed, context, false);
    const found = await checkRecorded(bed, recorder);
    violations.push(...remaining, ...found.filter((violation) => !isReported(violation, reported)));
  }
  violations.push(...(await checkConsistencyOf(bed, ['--older-than', '15'])));
  const recorders = rounds.map(({ recorder }) => recorder);
  return {
    name: 'all shipments at their ends',
    shipments: recorders.flatMap(({ shipmentIds }) => shipmentIds).length,
    operations: recorders.flatMap(({ operations }) => operations).length,
    accepted: 0,
    unknown: 0,
    recovery: null,
    remarks: bed.deployment.takeRemarks(),
    violations,
    recorder: new Recorder(),
  };
}

function isReported({ property, shipmentId }: Violation, reported: readonly Violation[]): boolean {
  return reported.some((known) => known.property === property && known.shipmentId === shipmentId);
}
