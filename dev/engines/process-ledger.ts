import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isSameProcess, startTimeOf } from '../lock-file.mjs';
import { signalGroup, signalProcess, type StopSignal } from './signals.ts';

/** A process that must not outlive its owner: what is needed to recognise and to end it later. */
export interface LedgerEntry {
  readonly name: string;
  readonly pid: number;
  readonly startTime: string | undefined;
  readonly stopSignal: StopSignal;
  readonly graceMs: number;
}

interface Ledger {
  readonly owner: { readonly pid: number; readonly startTime: string | undefined };
  readonly isStopping: boolean;
  readonly entries: readonly LedgerEntry[];
}

/**
 * Keeps a file of the processes that this one started, so that the next command after a `kill -9` of this one can
 * end them. The file is rewritten as a whole and renamed into place: a reader never sees half of it.
 */
export class ProcessLedger {
  readonly #path: string;
  #entries: readonly LedgerEntry[] = [];
  #isStopping = false;

  constructor(path: string) {
    this.#path = path;
    mkdirSync(dirname(path), { recursive: true });
    this.#write();
  }

  add(entry: LedgerEntry): void {
    this.#entries = [...this.#entries, entry];
    this.#write();
  }

  remove(pid: number): void {
    this.#entries = this.#entries.filter((entry) => entry.pid !== pid);
    this.#write();
  }

  /** Notes that the owner is about to end: the next one may wait for it. */
  announceStop(): void {
    this.#isStopping = true;
    this.#write();
  }

  /** Removes the file: nothing is left to clean up. */
  close(): void {
    rmSync(this.#path, { force: true });
  }

  #write(): void {
    const ledger: Ledger = {
      owner: { pid: process.pid, startTime: startTimeOf(process.pid) },
      isStopping: this.#isStopping,
      entries: this.#entries,
    };
    const draft = `${this.#path}.${process.pid}`;
    writeFileSync(draft, JSON.stringify(ledger, null, 2));
    renameSync(draft, this.#path);
  }
}

/** Returns the owner's process id when the ledger's owner still runs, and whether it is about to end. */
export function livingOwner(
  path: string,
): { readonly pid: number; readonly isStopping: boolean } | undefined {
  const ledger = readLedger(path);
  if (ledger === undefined || !isSameProcess(ledger.owner)) return undefined;
  return { pid: ledger.owner.pid, isStopping: ledger.isStopping };
}

/**
 * Ends what a dead owner left behind, in the reverse order of its start, and removes the ledger.
 * Returns the names of the processes that were ended. Does nothing while the owner lives.
 */
export async function endLeftovers(path: string): Promise<readonly string[]> {
  const ledger = readLedger(path);
  if (ledger === undefined || isSameProcess(ledger.owner)) return [];
  const leftovers = ledger.entries.filter((entry) => isSameProcess(entry)).reverse();
  for (const leftover of leftovers) await endLeftover(leftover);
  rmSync(path, { force: true });
  return leftovers.map((leftover) => leftover.name);
}

async function endLeftover(leftover: LedgerEntry): Promise<void> {
  signalProcess(leftover.pid, leftover.stopSignal);
  const deadline = performance.now() + leftover.graceMs;
  while (isSameProcess(leftover) && performance.now() < deadline) await delay(50);
  if (!isSameProcess(leftover)) return;
  signalGroup(leftover.pid, 'SIGKILL');
  while (isSameProcess(leftover)) await delay(50);
}

function readLedger(path: string): Ledger | undefined {
  try {
    return parseLedger(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    // Absent, or not ours: nothing that could be ended by what it says.
    return undefined;
  }
}

function parseLedger(value: unknown): Ledger | undefined {
  if (!isRecord(value) || !isRecord(value['owner']) || !Array.isArray(value['entries'])) return undefined;
  const owner = parseIdentity(value['owner']);
  if (owner === undefined) return undefined;
  const entries = value['entries'].flatMap((entry: unknown) => parseEntry(entry) ?? []);
  return { owner, isStopping: value['isStopping'] === true, entries };
}

function parseEntry(value: unknown): LedgerEntry | undefined {
  if (!isRecord(value)) return undefined;
  const identity = parseIdentity(value);
  const { name, stopSignal, graceMs } = value;
  if (identity === undefined || typeof name !== 'string' || typeof graceMs !== 'number') return undefined;
  return { ...identity, name, graceMs, stopSignal: stopSignal === 'SIGINT' ? 'SIGINT' : 'SIGTERM' };
}

function parseIdentity(value: Record<string, unknown>): Ledger['owner'] | undefined {
  const { pid, startTime } = value;
  if (typeof pid !== 'number' || typeof startTime !== 'string') return undefined;
  return { pid, startTime };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
