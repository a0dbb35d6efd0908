import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import tsconfig from '../../tsconfig.json' with { type: 'json' };

/** Remembers, from run to run, on which sources each check has passed. */
export interface PassedBefore {
  readonly has: (check: string) => Promise<boolean>;
  readonly add: (check: string) => Promise<void>;
}

/** `folder` holds one small file for each check. It may be removed at any time. */
export async function openPassedBefore(projectFolder: string, folder: string): Promise<PassedBefore> {
  const digest = await digestOfSources(projectFolder);
  const fileOf = (check: string): string => join(folder, check.replaceAll(/\W+/g, '-'));
  return {
    has: async (check) => (await readFile(fileOf(check), 'utf8').catch(() => '')) === digest,
    add: async (check) => {
      await mkdir(dirname(fileOf(check)), { recursive: true });
      await writeFile(fileOf(check), digest);
    },
  };
}

/** Of every file that a check of the code can see: the folders of tsconfig.json, the settings, the locked packages. */
async function digestOfSources(projectFolder: string): Promise<string> {
  const inFolders = await Promise.all(
    tsconfig.include.map((folder) =>
      readdir(join(projectFolder, folder), { recursive: true, withFileTypes: true }),
    ),
  );
  const inRoot = await readdir(projectFolder, { withFileTypes: true });
  const files = [...inFolders.flat(), ...inRoot].filter((entry) => entry.isFile());
  const digest = createHash('sha256').update(process.version);
  for (const path of files.map(({ parentPath, name }) => join(parentPath, name)).sort()) {
    digest.update(path).update(await readFile(path));
  }
  return digest.digest('hex');
}
