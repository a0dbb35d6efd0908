/** The ports that this machine lends to the services. */
export interface Ports {
  readonly postgres: number;
  readonly api: number;
  readonly workerHealth: number;
  /** Temporal's own, in the order of `TEMPORAL_PORTS`; the first is the one that clients use. */
  readonly temporal: readonly number[];
}

/** Settings of the Temporal server by which its parts get ports, each another one. */
export const TEMPORAL_PORTS = [
  'FRONTEND_GRPC_PORT',
  'FRONTEND_HTTP_PORT',
  'FRONTEND_MEMBERSHIP_PORT',
  'HISTORY_GRPC_PORT',
  'HISTORY_MEMBERSHIP_PORT',
  'MATCHING_GRPC_PORT',
  'MATCHING_MEMBERSHIP_PORT',
  'WORKER_GRPC_PORT',
  'WORKER_MEMBERSHIP_PORT',
] as const;

const LOOPBACK = '127.0.0.1';

/** Where on this machine is what the compose file names by a container's paths and hosts. */
export interface Places {
  /** A word of a command or a value of a setting, with paths and hosts replaced. */
  onThisMachine(text: string): string;
  /** The settings of a service that differ because all share one machine: addresses and ports, nothing else. */
  settingsOf(service: string): Readonly<Record<string, string>>;
}

/**
 * The places for a run: `folders` maps a container's folders to this machine's, longest first where one lies in
 * another.
 */
export function placesFor(folders: ReadonlyMap<string, string>, ports: Ports): Places {
  const [temporalPort = 0] = ports.temporal;
  const hosts = new Map([
    ['postgres:5432', `${LOOPBACK}:${ports.postgres}`],
    ['temporal:7233', `${LOOPBACK}:${temporalPort}`],
    [`${LOOPBACK}:7233`, `${LOOPBACK}:${temporalPort}`],
  ]);
  const settings = settingsFor(ports);
  return {
    onThisMachine: (text) => {
      let placed = text;
      for (const [from, to] of [...folders, ...hosts]) placed = placed.replaceAll(from, to);
      return placed;
    },
    settingsOf: (service) => settings[service] ?? {},
  };
}

function settingsFor(ports: Ports): Readonly<Record<string, Readonly<Record<string, string>>>> {
  const postgres = String(ports.postgres);
  const api = String(ports.api);
  return {
    'temporal-schema': { SQL_HOST: LOOPBACK, SQL_PORT: postgres },
    temporal: {
      POSTGRES_SEEDS: LOOPBACK,
      DB_PORT: postgres,
      BIND_ON_IP: LOOPBACK,
      TEMPORAL_BROADCAST_ADDRESS: LOOPBACK,
      ...Object.fromEntries(TEMPORAL_PORTS.map((name, index) => [name, String(ports.temporal[index] ?? 0)])),
    },
    api: { HOST: LOOPBACK, PORT: api, PUBLIC_URL: `http://${LOOPBACK}:${api}` },
    worker: { HOST: LOOPBACK, WORKER_HEALTH_PORT: String(ports.workerHealth) },
  };
}
