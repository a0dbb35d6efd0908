// The keeper: a process that starts what its owner asks for, and ends all of it, the last one first, when the owner says
// so or has ended, also by `kill -9`, of which a process hears nothing. Neither Ctrl-C nor a closed terminal reaches it.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { takeLock } from '../lock.mjs';

/** An owner whose npm was killed ends within this many tries of its successor. */
const TRIES_WHILE_RUNNING = 15;
const isWindows = process.platform === 'win32';
const owner = process.ppid;
const [lockName, temporaryFolder] = process.argv.slice(2);
const kept = new Map();
let isFolderKept = false;
let tries = 0;
let release = () => {};

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});
process.on('message', (message) => ({ start, stop, kill, keepFolder })[message.request](message));
process.once('disconnect', async () => {
  for (const id of [...kept.keys()].reverse()) await stop({ id });
  if (temporaryFolder !== '' && !isFolderKept) await rm(temporaryFolder, { recursive: true, force: true });
  release();
  process.exit();
});

// To a second owner it answers with the process id of the first, or with nothing when that has ended and the rest is ending.
const answer = () => (process.connected ? String(owner) : '');
if (lockName !== '') release = await takeLock(lockName, onHeld, answer);
tell({ state: 'ready' });

function onHeld(runningOwner) {
  if (runningOwner === '') tell({ state: 'waiting' });
  else if ((tries += 1) > TRIES_WHILE_RUNNING) tell({ state: 'held', owner: Number(runningOwner) });
}

function start({ id, command, words, options, logFile, stopSignal, graceMs }) {
  const output = logFile === undefined ? 'inherit' : openSync(logFile, 'a', 0o600);
  const stdio = ['ignore', output, output];
  // A group of its own, so that what it starts itself ends with it.
  const child = spawn(command, words, { ...options, stdio, detached: !isWindows, windowsHide: true });
  if (logFile !== undefined) closeSync(output);
  kept.set(id, { child, stopSignal, graceMs });
  child.once('spawn', () => tell({ id, pid: child.pid }));
  child.on('error', ({ message }) => {
    if (child.pid !== undefined) return;
    kept.delete(id);
    tell({ id, problem: message });
  });
  child.once('exit', (code, signal) => {
    kept.delete(id);
    tell({ id, exit: signal === null ? `exit code ${code}` : `signal ${signal}` });
  });
}

async function stop({ id }) {
  if (!kept.has(id)) return;
  const { child, stopSignal, graceMs } = kept.get(id);
  const force = setTimeout(endGroup, graceMs, child.pid);
  const exited = once(child, 'exit');
  child.kill(stopSignal);
  await exited;
  clearTimeout(force);
  if (!isWindows) endGroup(child.pid);
}

function kill({ id }) {
  if (kept.has(id)) endGroup(kept.get(id).child.pid);
}

function endGroup(leader) {
  try {
    if (isWindows) spawnSync('taskkill', ['/pid', String(leader), '/t', '/f'], { stdio: 'ignore' });
    else process.kill(-leader, 'SIGKILL');
  } catch (error) {
    // ESRCH: nothing of the group is left. EPERM: on macOS, the same of a group of zombies.
    if (!['ESRCH', 'EPERM'].includes(error.code)) throw error;
  }
}

function keepFolder() {
  isFolderKept = true;
}

function tell(message) {
  if (process.connected) process.send(message, () => {});
}
