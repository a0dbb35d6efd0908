// Removes from the installed packages what no container needs: Temporal's native module for other machines, and the
// compiler with which it would bundle workflows (`npm run build` has bundled them).
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const ARCHITECTURES = { x64: 'x86_64', arm64: 'aarch64' };

const modules = join(process.cwd(), 'node_modules');
const releases = join(modules, '@temporalio', 'core-bridge', 'releases');
const own = `${ARCHITECTURES[process.arch]}-unknown-linux-gnu`;

if (!existsSync(join(releases, own))) {
  throw new Error(
    `${releases} contains nothing for this platform (${own}): the layout of Temporal's SDK has changed.`,
  );
}
for (const release of readdirSync(releases)) {
  if (release !== own) rmSync(join(releases, release), { recursive: true });
}
// `@swc/helpers` stays: packages that were compiled with it need it while they run.
for (const name of readdirSync(join(modules, '@swc'))) {
  if (name.startsWith('core')) rmSync(join(modules, '@swc', name), { recursive: true });
}
