/** Licences that a package of this project may have: its SPDX expression, and what it asks of us. */
export const ACCEPTED_LICENCES = {
  MIT: 'keep the notice',
  ISC: 'keep the notice',
  '0BSD': 'nothing',
  'BSD-2-Clause': 'keep the notice',
  'BSD-3-Clause': 'keep the notice',
  'BlueOak-1.0.0': 'keep the notice',
  'Apache-2.0': 'keep the notice; state changes',
  'Apache-2.0 AND MIT': 'keep the notices; state changes',
  'MPL-2.0': 'publish changes to its own files; development only, and we change none',
  'Python-2.0': 'keep the notice',
  Unlicense: 'nothing',
  'OFL-1.1': 'fonts: keep the notice, do not sell them alone',
  'MIT AND OFL-1.1': 'fonts: keep the notices, do not sell them alone',
  'CC-BY-4.0': 'name the source; data for the build of workflows, not shipped to anyone',
  '(MIT OR CC0-1.0)': 'keep the notice',
  '(MIT AND Zlib)': 'keep the notices',
  '(MIT OR GPL-3.0-or-later)': 'taken under MIT: keep the notice',
} as const;

/** Packages whose manifest names no licence, and where the licence is said instead. */
export const LICENCES_FOUND_ELSEWHERE: Readonly<Record<string, keyof typeof ACCEPTED_LICENCES>> = {
  // Its LICENSE file.
  'png-js': 'MIT',
  // Its LICENSE file, the text of the Unlicense.
  unionfs: 'Unlicense',
  // Its README.
  'cli-table': 'MIT',
};

/** What the lock file says of a package. */
interface LockedPackage {
  readonly version?: string;
  readonly license?: string;
}

export interface Licence {
  readonly name: string;
  readonly version: string;
  readonly licence: string | undefined;
  readonly isAccepted: boolean;
}

/** Returns the licence of each package of a `package-lock.json`, except the project's own. Throws for text that is none. */
export function readLicences(lockFile: string): readonly Licence[] {
  const lock: unknown = JSON.parse(lockFile);
  if (!isLock(lock)) throw new Error('The lock file names no packages.');
  return Object.entries(lock.packages).flatMap(([path, { version = '', license }]) => {
    if (path === '') return [];
    const name = path.replace(/^.*node_modules\//, '');
    const licence = license ?? LICENCES_FOUND_ELSEWHERE[name];
    const isAccepted = licence !== undefined && Object.hasOwn(ACCEPTED_LICENCES, licence);
    return [{ name, version, licence, isAccepted }];
  });
}

function isLock(value: unknown): value is { packages: Record<string, LockedPackage> } {
  return typeof value === 'object' && value !== null && 'packages' in value;
}
