import { anyFreePort } from '../dev/engines/ports.ts';
import type { Deployment } from './deployment.ts';

/** A second API process on the deployment's database and Temporal. */
export interface OwnApi {
  readonly baseUrl: string;
  /** Resolves to the longest time for which its event loop was held since it was last asked, in ms. */
  readonly heldMs: () => Promise<number>;
  readonly stop: () => Promise<void>;
}

/** Starts one more API process with these settings on top of the service's. */
export async function startOwnApi(
  deployment: Deployment,
  environment: Readonly<Record<string, string>> = {},
): Promise<OwnApi> {
  const port = await anyFreePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  let onHeld: (ms: number) => void = () => undefined;
  const api = await deployment.startPart({
    name: `api-${port}`,
    script: 'bench/watched-api.ts',
    readyWhen: '"api ready"',
    environment: { ...environment, PORT: String(port), PUBLIC_URL: baseUrl },
    onLine: (line) => {
      const held = /^loop held ([\d.]+) ms/.exec(line)?.[1];
      if (held !== undefined) onHeld(Number(held));
    },
  });
  return {
    baseUrl,
    heldMs: () => {
      const answer = new Promise<number>((resolve) => {
        onHeld = resolve;
      });
      process.kill(api.pid, 'SIGUSR2');
      return answer;
    },
    stop: async () => {
      await api.stop();
    },
  };
}
