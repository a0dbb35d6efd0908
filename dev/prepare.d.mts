/** What decides whether this machine can run the service. */
export interface Machine {
  readonly nodeVersion: string;
  readonly platform: string;
  readonly arch: string;
  readonly isMusl: boolean;
}

/** The part of a lock file that is compared: packages by their path. */
export interface LockFile {
  readonly packages: Readonly<
    Record<string, { readonly version?: string; readonly integrity?: string; readonly optional?: boolean }>
  >;
}

export function findObstacle(machine: Machine): string | undefined;

export function isInstalled(lock: LockFile, installed: LockFile): boolean;
