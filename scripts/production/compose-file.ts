import { parse } from 'yaml';

/** What docker-compose.yml says of a service, as far as it can be kept without containers. */
export interface ComposeService {
  readonly name: string;
  readonly image: string;
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
  /** What it publishes, as `address:port:port in the container`. */
  readonly ports: readonly string[];
  /** Folders of the project by their paths in the container. */
  readonly folders: ReadonlyMap<string, string>;
  /** The health check's command, without the word `CMD`; empty where there is none. */
  readonly healthCheck: readonly string[];
  readonly stopGraceMs: number;
}

/** Docker's own grace where a service names none. */
const DEFAULT_GRACE_MS = 10_000;
const MINUTE_MS = 60_000;

/**
 * Reads a compose file: YAML with merge keys, `${NAME}` and `${NAME:-default}` taken from the variables given. Throws
 * where it says something in a form that this reader does not know, so that nothing is left out in silence.
 */
export function readComposeFile(
  text: string,
  variables: Readonly<Record<string, string | undefined>>,
): ReadonlyMap<string, ComposeService> {
  const document: unknown = parse(text, { merge: true });
  const services = Object.entries(recordOf(recordOf(document, 'the file')['services'], 'services'));
  return new Map(
    services.map(([name, value]) => [name, readService(name, recordOf(value, name), variables)]),
  );
}

function readService(
  name: string,
  service: Readonly<Record<string, unknown>>,
  variables: Readonly<Record<string, string | undefined>>,
): ComposeService {
  const interpolated = (value: unknown): string => interpolate(textOf(value, name), variables);
  const environment = Object.entries(recordOf(service['environment'] ?? {}, `${name}.environment`));
  const volumes = listOf(service['volumes'] ?? [], `${name}.volumes`).map(interpolated);
  return {
    name,
    image: interpolated(service['image']),
    command: listOf(service['command'] ?? [], `${name}.command`).map(interpolated),
    environment: Object.fromEntries(environment.map(([key, value]) => [key, interpolated(value)])),
    secrets: listOf(service['secrets'] ?? [], `${name}.secrets`).map(interpolated),
    ports: listOf(service['ports'] ?? [], `${name}.ports`).map(interpolated),
    folders: new Map(volumes.filter((volume) => volume.startsWith('./')).map(readFolder)),
    healthCheck: readHealthCheck(service['healthcheck'], name).map(interpolated),
    stopGraceMs: readDurationMs(service['stop_grace_period'], name),
  };
}

function readFolder(volume: string): readonly [string, string] {
  const [source, target] = volume.split(':');
  if (source === undefined || target === undefined) throw new Error(`no volume: ${volume}`);
  return [target, source.slice('./'.length)];
}

function readHealthCheck(value: unknown, name: string): readonly unknown[] {
  const { test } = recordOf(value ?? {}, `${name}.healthcheck`);
  if (test === undefined) return [];
  const [kind, ...command] = listOf(test, `${name}.healthcheck.test`);
  if (kind !== 'CMD') throw new Error(`${name}: a health check of another form than CMD is not known here`);
  return command;
}

function readDurationMs(value: unknown, name: string): number {
  if (value === undefined) return DEFAULT_GRACE_MS;
  const [, amount, unit] = /^(\d+)(s|m)$/.exec(textOf(value, name)) ?? [];
  if (amount === undefined)
    throw new Error(`${name}: no duration in seconds or minutes: ${textOf(value, name)}`);
  return Number(amount) * (unit === 'm' ? MINUTE_MS : 1_000);
}

/** Compose's interpolation: a variable, or its default where it is not set or empty. */
function interpolate(text: string, variables: Readonly<Record<string, string | undefined>>): string {
  return text.replace(/\$\{([^}]*)\}/g, (_whole, expression: string) => {
    const [, name, fallback] = /^(\w+)(?::-(.*))?$/.exec(expression) ?? [];
    if (name === undefined) throw new Error(`an interpolation of a form not known here: \${${expression}}`);
    const value = variables[name] ?? '';
    return value === '' ? (fallback ?? '') : value;
  });
}

function recordOf(value: unknown, where: string): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return Object.fromEntries(Object.entries(value));
  }
  throw new Error(`${where} is no mapping`);
}

function listOf(value: unknown, where: string): readonly unknown[] {
  if (Array.isArray(value)) return value.map((entry: unknown) => entry);
  throw new Error(`${where} is no list`);
}

function textOf(value: unknown, where: string): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new Error(`${where}: a text was expected, not ${JSON.stringify(value)}`);
}
