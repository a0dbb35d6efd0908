// `npm run sbom`: writes what production runs as a CycloneDX document, `.data/sbom.cdx.json`, made by npm from the lock file,
// and lists the licences. It fails when a package has a licence that `dev/licences.ts` does not accept.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { say, withProgress } from './engines/progress.mjs';
import { runProgram } from './engines/run-program.ts';
import { ACCEPTED_LICENCES, readLicences } from './licences.ts';

const projectFolder = join(import.meta.dirname, '..');
const target = join(projectFolder, '.data', 'sbom.cdx.json');

async function writeSbom(): Promise<void> {
  const words = [
    'sbom',
    '--sbom-format',
    'cyclonedx',
    '--omit',
    'dev',
    '--package-lock-only',
    '--loglevel',
    'error',
  ];
  const { exitCode, output } = await withProgress('listing the packages', () => runProgram('npm', words));
  // npm may write warnings first.
  const start = output.indexOf('{');
  if (exitCode !== 0 || start < 0) throw new Error(`npm could not make the list:\n${output.trim()}`);
  await mkdir(join(projectFolder, '.data'), { recursive: true });
  await writeFile(target, output.slice(start));
}

async function listLicences(): Promise<boolean> {
  const licences = readLicences(await readFile(join(projectFolder, 'package-lock.json'), 'utf8'));
  for (const [licence, duty] of Object.entries(ACCEPTED_LICENCES)) {
    const count = licences.filter((found) => found.licence === licence).length;
    if (count > 0) say(`${String(count).padStart(5)}  ${licence}: ${duty}`);
  }
  const rejected = licences.filter(({ isAccepted }) => !isAccepted);
  for (const { name, version, licence = 'no licence' } of rejected)
    say(`✘ ${name} ${version}: ${licence} is not an accepted licence (dev/licences.ts)`);
  return rejected.length === 0;
}

try {
  await writeSbom();
  say(`The packages of production are listed in ${target}`);
  process.exitCode = (await listLicences()) ? 0 : 1;
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
