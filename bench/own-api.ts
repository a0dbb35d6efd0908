import type { CaseContext } from './case.ts';

/** For how long an event loop was held at most, in ms. */
export interface Held {
  /** By the clock: other processes of the machine count in. */
  readonly clockMs: number;
  /** CPU time of the main thread. */
  readonly cpuMs: number;
}

/** A second API process on the deployment's database and Temporal. */
export interface OwnApi {
  readonly baseUrl: string;
  /** Resolves to the longest time for which its event loop was held since it was last asked. */
  readonly held: () => Promise<Held>;
  readonly stop: () => Promise<void>;
}

/** Starts one more API process with these settings on top of the service's; it is ended after the case. */
export async function startOwnApi(
  { deployment, atEnd }: CaseContext,
  environment: Readonly<Record<string, string>> = {},
): Promise<OwnApi> {
  let onHeld: (held: Held) => void = () => undefined;
  const api = await deployment.makeService('api', {
    name: 'own-api',
    script: 'bench/watched-api.ts',
    environment,
    onLine: (line) => {
      const [, clock, cpu] = /^loop held ([\d.]+) ms, ([\d.]+) ms of CPU/.exec(line) ?? [];
      if (clock !== undefined) onHeld({ clockMs: Number(clock), cpuMs: Number(cpu) });
    },
  });
  await api.start();
  atEnd(api.stop);
  return {
    baseUrl: api.baseUrl,
    held: () => {
      const answer = new Promise<Held>((resolve) => {
        onHeld = resolve;
      });
      process.kill(api.pid(), 'SIGUSR2');
      return answer;
    },
    stop: api.stop,
  };
}
