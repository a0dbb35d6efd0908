import type { Database } from '../connection.ts';
import { selectOne } from '../connection.ts';

const SAMPLE_EVERY_MS = 500;
const ACTIVE_FOR_MS = 2_000;

/**
 * Makes a function that says whether any process of the service accepted a command within the last two seconds. It reads
 * the sequence of the acceptance numbers, at most twice a second and only while it is asked; a call returns what is known
 * and never waits.
 */
export function commandActivity(
  database: Database,
  nowMs: () => number = () => performance.now(),
): () => boolean {
  let lastNumber: string | undefined;
  let changedAtMs = Number.NEGATIVE_INFINITY;
  let sampledAtMs = Number.NEGATIVE_INFINITY;
  const sample = async (): Promise<void> => {
    const row = await selectOne<{ number: string }>(
      database,
      'select last_value::text as number from commands_number_seq',
      [],
    );
    if (lastNumber !== undefined && row?.number !== lastNumber) changedAtMs = nowMs();
    lastNumber = row?.number;
  };
  return () => {
    if (nowMs() - sampledAtMs >= SAMPLE_EVERY_MS) {
      sampledAtMs = nowMs();
      // Without an answer the last one holds.
      sample().catch(() => undefined);
    }
    return nowMs() - changedAtMs < ACTIVE_FOR_MS;
  };
}
