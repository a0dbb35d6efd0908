import { setTimeout as delay } from 'node:timers/promises';
import type { ClientContext } from './client.ts';
import { check } from './checker/check.ts';
import type { Violation } from './checker/history.ts';
import { checkRuns } from './checker/runs.ts';
import { checkConsistencyOf } from './consistency.ts';
import { createAndDrive } from './simulated-client.ts';
import { describeRuns, readEvidence, pendingWork } from './evidence-reader.ts';
import type { Durations, Fault } from './faults.ts';
import type { Random } from './random.ts';
import { randomOf } from './random.ts';
import { Recorder } from './recorder.ts';
import type { Recovery } from './recovery.ts';
import { measureRecovery } from './recovery.ts';
import type { TestBed } from './test-bed.ts';

/** A webhook event is posted at most this often (the contract's retry policy). */
const MAXIMUM_POSTS = 3;
/** Generous: what takes longer than this on any machine does not come back. */
const QUIESCENCE_TIMEOUT_MS = 240_000;
const POLL_EVERY_MS = 300;

/** What a round drives, and what breaks meanwhile. */
export interface RoundPlan {
  readonly name: string;
  readonly shipments: number;
  readonly fault: Fault;
  readonly durations: Durations;
  readonly pauseMs: number;
}

/** What came of a round. */
export interface RoundResult {
  readonly name: string;
  readonly shipments: number;
  readonly operations: number;
  /** Operations answered with 202. */
  readonly accepted: number;
  /** Operations whose outcome no client knows. */
  readonly unknown: number;
  /** Null where nothing was broken. */
  readonly recovery: Recovery | null;
  /** What happened that is no fault of the service. */
  readonly remarks: readonly string[];
  readonly violations: readonly Violation[];
  /** Knows the shipments that were left open, with their histories. */
  readonly recorder: Recorder;
}

/** Drives shipments while the fault happens, waits until nothing is under way, and checks what was recorded. */
export async function runRound(bed: TestBed, seed: number, plan: RoundPlan): Promise<RoundResult> {
  const recorder = new Recorder();
  const { context, giveUpIn } = clientsOf(bed, recorder);
  const driving = Array.from({ length: plan.shipments }, (_, index) =>
    driveOne(context, randomOf(seed, plan.name, index), index, plan.pauseMs),
  );
  const random = randomOf(seed, plan.name, 'fault');
  await delay(random.integer(300, 2_500));
  await plan.fault.run({
    ...bed,
    random,
    durations: plan.durations,
    shipmentIds: () => recorder.shipmentIds,
  });
  giveUpIn(QUIESCENCE_TIMEOUT_MS);
  const recovery = measureRecovery(bed, context);
  await Promise.all(driving);
  return concludeRound(bed, plan, recorder, context, await recovery);
}

/** Waits until nothing is under way, then checks. */
export async function concludeRound(
  bed: TestBed,
  plan: Pick<RoundPlan, 'name' | 'fault'>,
  recorder: Recorder,
  context: ClientContext,
  recovery: Recovery,
): Promise<RoundResult> {
  const startedAt = performance.now();
  const remaining = await settleAll(bed, context, plan.fault.losesRuns === true);
  const quiescentMs = performance.now() - startedAt;
  const violations = [
    ...crashesOf(bed),
    ...remaining,
    ...(plan.fault.losesRuns === true ? await repairWorkflows(bed, context) : []),
    ...(await checkRecorded(bed, recorder)),
  ];
  return {
    name: plan.name,
    shipments: recorder.shipmentIds.length,
    operations: recorder.operations.length,
    accepted: recorder.operations.filter(({ exchanges }) => exchanges.some(({ status }) => status === 202))
      .length,
    unknown: recorder.operations.filter(({ exchanges }) =>
      exchanges.every(({ verdict }) => verdict === 'none'),
    ).length,
    recovery: { ...recovery, quiescentMs },
    remarks: bed.deployment.takeRemarks(),
    violations,
    recorder,
  };
}

/** Starts the workflows that were lost, by the operator's command: Temporal's list shows a lost one only after a moment. */
async function repairWorkflows(bed: TestBed, context: ClientContext): Promise<readonly Violation[]> {
  const words = ['--repair', '--older-than', '0'];
  let left = await checkConsistencyOf(bed, words);
  const ids = context.recorder.shipmentIds;
  while ((await remainingWork(bed, ids, false)).length > 0 && context.keepsRetrying()) {
    left = await checkConsistencyOf(bed, words);
  }
  return left;
}

/** Processes that ended by themselves: nothing that a fault test breaks may end them. */
function crashesOf({ deployment }: TestBed): readonly Violation[] {
  return deployment
    .takeCrashes()
    .map((evidence) => ({ property: 'process stays up', shipmentId: null, evidence }));
}

/** Waits until the clients' work and the service's is done. Resolves with what is still under way at the deadline. */
export async function settleAll(
  bed: TestBed,
  { background, recorder }: ClientContext,
  mayLackRuns: boolean,
): Promise<readonly Violation[]> {
  await settle(background);
  const remaining = await waitForQuiescence(bed, recorder.shipmentIds, mayLackRuns);
  return remaining.map((evidence) => ({ property: 'quiescent', shipmentId: null, evidence }));
}

/** Reads the evidence on everything that was recorded and checks it. */
export async function checkRecorded(bed: TestBed, recorder: Recorder): Promise<readonly Violation[]> {
  const evidence = await readEvidence({ ...bed, posts: bed.receiver.posts }, recorder.shipmentIds);
  const histories = recorder.histories((taskId) => evidence.places.get(taskId));
  return check({ creations: recorder.creations, histories }, evidence, MAXIMUM_POSTS);
}

/** Clients that repeat what got no answer until they are asked to give up. */
export function clientsOf(bed: TestBed, recorder: Recorder) {
  let giveUpAtMs = Infinity;
  const context: ClientContext = {
    send: bed.send,
    tenant: bed.tenant,
    recorder,
    keepsRetrying: () => bed.isOpen() && performance.now() < giveUpAtMs,
    background: [],
  };
  return {
    context,
    giveUpIn: (ms: number) => {
      giveUpAtMs = performance.now() + ms;
    },
  };
}

async function driveOne(
  context: ClientContext,
  random: Random,
  index: number,
  pauseMs: number,
): Promise<void> {
  await delay(random.integer(0, pauseMs * 2));
  await createAndDrive(context, random, {
    creation: random.pick(['dashboard', 'dashboard', 'external', 'external', 'merchant']),
    hasPickup: random.isLikely(0.5),
    detours: 10,
    pauseMs,
    // One in ten is left open: it needs a run as long as it can change.
    leavesAfter: index % 10 === 9 ? 4 : Infinity,
    companionMoves: random.isLikely(0.3) ? 6 : 0,
  });
}

/** Waits for all work, also for what that work starts. */
async function settle(background: readonly Promise<unknown>[]): Promise<void> {
  for (let settled = 0; settled < background.length;) {
    settled = background.length;
    await Promise.all(background);
  }
}

/** Resolves with what is still under way at the deadline; empty when nothing is. */
async function waitForQuiescence(
  bed: TestBed,
  ids: readonly string[],
  mayLackRuns: boolean,
): Promise<readonly string[]> {
  const deadline = performance.now() + QUIESCENCE_TIMEOUT_MS;
  for (;;) {
    const remaining = await remainingWork(bed, ids, mayLackRuns).catch((error: unknown) => [String(error)]);
    if (remaining.length === 0 || performance.now() > deadline || !bed.isOpen()) return remaining;
    await delay(POLL_EVERY_MS);
  }
}

async function remainingWork(
  bed: TestBed,
  ids: readonly string[],
  mayLackRuns: boolean,
): Promise<readonly string[]> {
  const waiting = await pendingWork(bed.pool, ids);
  if (waiting.length > 0) return waiting;
  const { rows } = await bed.pool.query<{ id: string; status: string }>(
    'select id, status from shipments where id = any($1::uuid[])',
    [ids],
  );
  const shipments = rows.map((row) => ({ ...row, externalReference: null, isDeleted: false, tasks: [] }));
  const none = { commands: [], timeline: [], events: [], posts: [] };
  const faults = checkRuns({ ...none, shipments, runs: await describeRuns(bed.temporal, ids) });
  return mayLackRuns ? [] : faults.map(({ shipmentId, evidence }) => `${shipmentId ?? ''}: ${evidence}`);
}
