import { readFile, rename } from 'node:fs/promises';
import { writePrivateFile } from '../../dev/engines/secret-file.ts';
import { at, textOrNull } from '../../test/harness/json.ts';

/** The file of the data folder that says how far the demo's day has come. Without it no day is made. */
export const DAY_STATE_FILE = 'demo-day.json';

/** How far the day has come. Its moment is fixed with its first request: the same requests make it further. */
export interface DayState {
  readonly startedAt: string | null;
  readonly isMade: boolean;
  /** Where the receiver of webhooks listened; null before it did. */
  readonly receiverPort: number | null;
}

/** The state of a day that is still to be made. */
export const NEW_DAY: DayState = { startedAt: null, isMade: false, receiverPort: null };

/** Answers to repeated requests are kept for 24 hours: a day that was interrupted longer ago stays as it is. */
const RESUMABLE_MS = 23 * 3_600_000;

/** Reads the state. Returns undefined when the file is missing or was not written by this program. */
export async function readDayState(file: string): Promise<DayState | undefined> {
  const document = await readFile(file, 'utf8')
    .then((text): unknown => JSON.parse(text))
    .catch(() => undefined);
  const isMade = at(document, 'isMade');
  if (typeof isMade !== 'boolean') return undefined;
  const port = at(document, 'receiverPort');
  return {
    startedAt: textOrNull(document, 'startedAt'),
    isMade,
    receiverPort: typeof port === 'number' ? port : null,
  };
}

/** Writes the state, whole or not at all. */
export async function writeDayState(file: string, state: DayState): Promise<void> {
  await writePrivateFile(`${file}.new`, `${JSON.stringify(state)}\n`);
  await rename(`${file}.new`, file);
}

/** What a start has to do for the day: nothing, or make it as of a moment; `expired` was begun too long ago. */
export function dayWork(state: DayState, now: Date): 'none' | 'expired' | Date {
  if (state.isMade) return 'none';
  if (state.startedAt === null) return now;
  const startedAt = new Date(state.startedAt);
  return now.getTime() - startedAt.getTime() > RESUMABLE_MS ? 'expired' : startedAt;
}
