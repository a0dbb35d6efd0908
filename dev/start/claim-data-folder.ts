import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { endLeftovers, livingOwner, ProcessLedger } from '../engines/process-ledger.ts';
import { withProgress, type Say } from '../engines/progress.ts';
import { takeLock } from '../lock-file.mjs';
import type { DataFolder } from './data-folder.ts';
import { StartError } from '../../ops/start-mode.ts';

/** An owner that is about to end gets this long; one whose npm was killed notices within a second. */
const STOPPING_GRACE_MS = 60_000;
const NOTICE_GRACE_MS = 3000;

/**
 * Makes this process the owner of the data folder: ends what a killed owner left behind and returns the ledger of
 * what is started from now on. Throws StartError while another `npm start` works on the same folder.
 */
export async function claimDataFolder(data: DataFolder, say: Say): Promise<ProcessLedger> {
  const release = await takeLock(join(data.path, 'start.lock'));
  try {
    await waitForOwnersEnd(data.ledgerFile, say);
    const ended = await withProgress('stopping processes that a killed start left behind', say, () =>
      endLeftovers(data.ledgerFile),
    );
    if (ended.length > 0) say(`Stopped processes that a killed start left behind: ${ended.join(', ')}.`);
    return new ProcessLedger(data.ledgerFile);
  } finally {
    release();
  }
}

async function waitForOwnersEnd(ledgerFile: string, say: Say): Promise<void> {
  const startedAt = performance.now();
  let hasSaid = false;
  for (let owner = livingOwner(ledgerFile); owner !== undefined; owner = livingOwner(ledgerFile)) {
    const graceMs = owner.isStopping ? STOPPING_GRACE_MS : NOTICE_GRACE_MS;
    if (performance.now() - startedAt > graceMs) {
      throw new StartError(
        `\`npm start\` is already running on this data folder (process ${owner.pid}). Stop it first, or set DATA_DIR to another folder.`,
      );
    }
    if (owner.isStopping && !hasSaid)
      say(`Waiting for the \`npm start\` that is stopping (process ${owner.pid})…`);
    hasSaid ||= owner.isStopping;
    await delay(100);
  }
}
