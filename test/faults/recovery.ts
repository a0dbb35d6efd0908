import { listOrEmpty, textOrNull } from '../harness/json.ts';
import type { ClientContext } from './client.ts';
import { create, perform } from './client.ts';
import type { TestBed } from './test-bed.ts';

/** How long it took after the fault was repaired, in milliseconds. */
export interface Recovery {
  /** Until a new shipment's first command was decided. */
  readonly liveMs: number | null;
  /** How many commands were waiting when the fault was repaired, and until the last of them was decided. */
  readonly backlog: number;
  readonly backlogMs: number | null;
  /** From the last client's end until nothing was under way. */
  readonly quiescentMs: number;
}

/** Measures from now on: a live command of its own, and those that wait at this moment. */
export async function measureRecovery(bed: TestBed, context: ClientContext): Promise<Recovery> {
  const startedAt = performance.now();
  const waiting = await undecided(bed).catch((): readonly string[] => []);
  const [liveMs, backlogMs] = await Promise.all([
    liveCommand(context, startedAt),
    untilDecided(bed, context, waiting, startedAt),
  ]);
  return { liveMs, backlog: waiting.length, backlogMs, quiescentMs: 0 };
}

async function liveCommand(context: ClientContext, startedAt: number): Promise<number | null> {
  const id = await create(context, 'dashboard', false);
  if (id === null) return null;
  const shown = await perform(context, id, { kind: 'read_shipment' }, { repeats: true });
  const taskId = textOrNull(listOrEmpty(shown.body, 'tasks')[0], 'id');
  const [driver] = context.tenant.driverIds;
  if (taskId === null || driver === undefined) return null;
  const action = { kind: 'transition', taskId, transition: 'assign', driver } as const;
  const { verdict } = await perform(context, id, action, { repeats: true });
  if (verdict === 'applied') return performance.now() - startedAt;
  const operation = context.recorder.operations.find((candidate) => candidate.action === action);
  while (operation?.resolution === null && context.keepsRetrying()) await pause();
  return operation?.resolution == null ? null : operation.resolution.atMs - startedAt;
}

async function untilDecided(
  bed: TestBed,
  context: ClientContext,
  ids: readonly string[],
  startedAt: number,
): Promise<number | null> {
  while (context.keepsRetrying()) {
    const open = await undecided(bed, ids).catch(() => ids);
    if (open.length === 0) return performance.now() - startedAt;
    await pause();
  }
  return null;
}

async function undecided({ pool }: TestBed, ids?: readonly string[]): Promise<readonly string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `select id from commands where status = 'received' and ($1::uuid[] is null or id = any($1::uuid[]))`,
    [ids ?? null],
  );
  return rows.map(({ id }) => id);
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 100));
}
