import { readFileSync } from 'node:fs';

/** Where the service runs: a laptop brings its own engines and trusts its own certificate authority. */
export type ServiceMode = 'laptop' | 'production';

/** All settings of the API and the worker, read once at the start. README «Settings» lists them. */
export interface Config {
  readonly mode: ServiceMode;
  readonly databaseUrl: string;
  readonly databasePoolSize: number;
  readonly temporal: {
    readonly address: string;
    readonly namespace: string;
    readonly apiKey: string | null;
    readonly tls: boolean;
  };
  readonly taskQueue: string;
  readonly host: string;
  readonly port: number;
  readonly publicUrl: string;
  readonly jwtSecret: string;
  readonly jwtLifetimeSeconds: number;
  readonly refreshLifetimeSeconds: number;
  readonly externalRequestsPerMinute: number;
  readonly loginAttemptsPerMinute: number;
  readonly commandWaitMs: number;
  readonly trustedProxyHops: number;
  readonly trackingUrlTemplate: string | null;
  readonly webhookMaxAttempts: number;
  readonly webhookAllowPrivate: boolean;
  readonly webhookExtraCaFile: string | null;
  readonly relayIntervalMs: number;
  /** Where the worker tells whether it lives; null: nowhere, for it needs no port. */
  readonly workerHealthPort: number | null;
  readonly continueAsNewAfterEvents: number | null;
  readonly logLevel: string;
}

/** Thrown when settings are missing or wrong; its message lists all of them, values left out. */
export class ConfigError extends Error {
  constructor(problems: readonly string[]) {
    super(`The settings do not fit:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'ConfigError';
  }
}

const MINIMUM_SECRET_LENGTH = 32;
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];

/**
 * Reads the settings from environment variables. Each `NAME` may be given as `NAME_FILE`, the path
 * of a file that holds the value (container secrets). Throws a ConfigError that lists every fault.
 */
export function loadConfig(environment: NodeJS.ProcessEnv): Config {
  const problems: string[] = [];
  const read = settingReader(environment, problems);
  const mode: ServiceMode =
    read.choice('SERVICE_MODE', ['laptop', 'production'], 'production') === 'laptop'
      ? 'laptop'
      : 'production';
  const config: Config = {
    mode,
    databaseUrl: read.required('DATABASE_URL'),
    databasePoolSize: read.integer('DATABASE_POOL_SIZE', 15, 2, 500),
    temporal: temporalSettings(read),
    taskQueue: read.optional('TASK_QUEUE') ?? 'shipments',
    host: read.optional('HOST') ?? '127.0.0.1',
    port: read.integer('PORT', 8080, 0, 65_535),
    publicUrl: (read.optional('PUBLIC_URL') ?? 'http://localhost:8080').replace(/\/+$/, ''),
    jwtSecret: read.secret('JWT_SECRET'),
    jwtLifetimeSeconds: read.integer('JWT_LIFETIME_SECONDS', 14_400, 1, 86_400),
    refreshLifetimeSeconds: read.integer('REFRESH_LIFETIME_SECONDS', 2_592_000, 1, 31_536_000),
    externalRequestsPerMinute: read.integer('EXTERNAL_REQUESTS_PER_MINUTE', 100, 1, 100_000),
    loginAttemptsPerMinute: read.integer('LOGIN_ATTEMPTS_PER_MINUTE', 5, 1, 100_000),
    commandWaitMs: read.integer('COMMAND_WAIT_MS', 5_000, 0, 60_000),
    trustedProxyHops: read.integer('TRUSTED_PROXY_HOPS', 0, 0, 10),
    trackingUrlTemplate: read.optional('TRACKING_URL_TEMPLATE'),
    webhookMaxAttempts: read.integer('WEBHOOK_MAX_ATTEMPTS', 3, 1, 10),
    webhookAllowPrivate: read.flag('WEBHOOK_ALLOW_PRIVATE', false),
    webhookExtraCaFile: read.optional('WEBHOOK_EXTRA_CA_FILE'),
    relayIntervalMs: read.integer('RELAY_INTERVAL_MS', 3_000, 50, 600_000),
    workerHealthPort: read.optionalInteger('WORKER_HEALTH_PORT', 0, 65_535),
    continueAsNewAfterEvents: read.optionalInteger('CONTINUE_AS_NEW_AFTER_EVENTS', 20, 50_000),
    logLevel: read.choice('LOG_LEVEL', LOG_LEVELS, 'info'),
  };
  if (mode === 'production' && config.webhookAllowPrivate) {
    problems.push('WEBHOOK_ALLOW_PRIVATE is for laptops and tests: unset it, or set SERVICE_MODE=laptop');
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

/**
 * Reads where Temporal is, for commands that need nothing else. Throws a ConfigError that lists every fault.
 */
export function loadTemporalConfig(environment: NodeJS.ProcessEnv): Config['temporal'] {
  return readAlone(environment, temporalSettings);
}

/**
 * Reads where the database is, for commands that need nothing else. Throws a ConfigError when it is not told.
 */
export function loadDatabaseUrl(environment: NodeJS.ProcessEnv): string {
  return readAlone(environment, (read) => read.required('DATABASE_URL'));
}

function readAlone<Part>(environment: NodeJS.ProcessEnv, part: (read: SettingReader) => Part): Part {
  const problems: string[] = [];
  const value = part(settingReader(environment, problems));
  if (problems.length > 0) throw new ConfigError(problems);
  return value;
}

function temporalSettings(read: SettingReader): Config['temporal'] {
  const apiKey = read.optional('TEMPORAL_API_KEY');
  return {
    address: read.required('TEMPORAL_ADDRESS'),
    namespace: read.optional('TEMPORAL_NAMESPACE') ?? 'default',
    apiKey,
    tls: read.flag('TEMPORAL_TLS', apiKey !== null),
  };
}

type SettingReader = ReturnType<typeof settingReader>;

function settingReader(environment: NodeJS.ProcessEnv, problems: string[]) {
  const optional = (name: string): string | null => {
    const value = environment[name];
    if (value !== undefined && value !== '') return value;
    const file = environment[`${name}_FILE`];
    if (file === undefined || file === '') return null;
    try {
      return readFileSync(file, 'utf8').trim();
    } catch {
      problems.push(`${name}_FILE names a file that cannot be read`);
      return null;
    }
  };
  const required = (name: string): string => {
    const value = optional(name);
    if (value === null) problems.push(`${name} is missing: set it, or ${name}_FILE`);
    return value ?? '';
  };
  const optionalInteger = (name: string, minimum: number, maximum: number): number | null => {
    const text = optional(name);
    if (text === null) return null;
    const value = Number(text);
    if (Number.isInteger(value) && value >= minimum && value <= maximum) return value;
    problems.push(`${name} must be a whole number from ${minimum} to ${maximum}`);
    return null;
  };
  return {
    optional,
    required,
    optionalInteger,
    integer: (name: string, fallback: number, minimum: number, maximum: number): number =>
      optionalInteger(name, minimum, maximum) ?? fallback,
    secret: (name: string): string => {
      const value = required(name);
      if (value !== '' && value.length < MINIMUM_SECRET_LENGTH) {
        problems.push(`${name} must have at least ${MINIMUM_SECRET_LENGTH} characters`);
      }
      return value;
    },
    flag: (name: string, fallback: boolean): boolean => {
      const text = optional(name);
      if (text === null) return fallback;
      if (['1', 'true', 'yes'].includes(text)) return true;
      if (['0', 'false', 'no'].includes(text)) return false;
      problems.push(`${name} must be 1 or 0`);
      return fallback;
    },
    choice: (name: string, words: readonly string[], fallback: string): string => {
      const value = optional(name) ?? fallback;
      if (!words.includes(value)) problems.push(`${name} must be one of: ${words.join(', ')}`);
      return value;
    },
  };
}
