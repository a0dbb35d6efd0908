/** A process, recognisable even after its id was given to another one. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly startTime: string | undefined;
}

export function startTimeOf(pid: number): string | undefined;

export function isSameProcess(owner: ProcessIdentity): boolean;

export function takeLock(
  path: string,
  options?: { onWait?: (holderPid: number) => void; pollMs?: number },
): Promise<() => void>;
