// A lock between processes, of Node built-ins alone: it also guards the installation of the packages.
import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Tells when a process began, in a form that only equality gives a meaning to. A process id alone is not
 * enough to recognise a process: systems give it out again.
 */
export function startTimeOf(pid) {
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  if (process.platform === 'linux') return linuxStartTimeOf(pid);
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (error.code !== 'EPERM') return undefined;
  }
  if (process.platform === 'win32') return 'unknown';
  try {
    const line = execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    return line === '' || line.startsWith('Z') ? undefined : line.replace(/^\S+\s+/, '');
  } catch {
    return undefined;
  }
}

function linuxStartTimeOf(pid) {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the command in parentheses and may hold anything: read on from the last one.
    const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
    const state = fields[0];
    return state === 'Z' || state === 'X' ? undefined : fields[19];
  } catch {
    return undefined;
  }
}

/** Tells whether the process that wrote down this id and start time still runs. */
export function isSameProcess(owner) {
  return owner.startTime !== undefined && startTimeOf(owner.pid) === owner.startTime;
}

/**
 * Takes the lock, waiting while a living process holds it; the lock of a dead one is taken over.
 * `onWait` is called once, with the holder's process id, when there is somebody to wait for.
 * Resolves with the function that gives the lock back.
 */
export async function takeLock(path, { onWait = () => {}, pollMs = 200 } = {}) {
  mkdirSync(dirname(path), { recursive: true });
  let hasWaited = false;
  for (;;) {
    if (tryLock(path)) return () => rmSync(path, { force: true });
    const holder = readHolder(path);
    if (holder !== undefined && isSameProcess(holder)) {
      if (!hasWaited) onWait(holder.pid);
      hasWaited = true;
      await delay(pollMs);
      continue;
    }
    if (holder !== undefined) removeStale(path, holder);
  }
}

function tryLock(path) {
  // A link appears atomically with its whole content, or fails: no process ever reads half a lock.
  const draft = `${path}.${process.pid}.${Math.trunc(performance.now() * 1000)}`;
  writeFileSync(draft, JSON.stringify({ pid: process.pid, startTime: startTimeOf(process.pid) }));
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

function readHolder(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    return error.code === 'ENOENT' ? undefined : { pid: 0, startTime: undefined };
  }
}

function removeStale(path, stale) {
  const aside = `${path}.stale.${process.pid}`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if (error.code === 'ENOENT') return;
    throw error;
  }
  const moved = readHolder(aside);
  // Somebody else took the stale lock over in between, and this is their living one: give it back.
  if (moved !== undefined && isSameProcess(moved) && moved.pid !== stale.pid) {
    try {
      linkSync(aside, path);
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
  }
  rmSync(aside, { force: true });
}
