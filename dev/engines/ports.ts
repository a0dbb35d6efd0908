import getPort, { portNumbers } from 'get-port';

/**
 * Returns the preferred TCP port when no server listens on it on any address of this machine, else one of the hundred above
 * it, else any free one. A port is not given out a second time within some seconds.
 */
export async function chooseFreePort(preferred: number): Promise<number> {
  return getPort({ port: portNumbers(preferred, Math.min(preferred + 100, 65_535)) });
}

/** Returns a port that the system says is free now. */
export async function anyFreePort(): Promise<number> {
  return getPort();
}
