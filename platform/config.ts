import type { SettingReader } from './setting-reader.ts';
import { readSettings } from './setting-reader.ts';

/** Where the service runs: a laptop brings its own engines and trusts its own certificate authority. */
export type ServiceMode = 'laptop' | 'production';

/** Where Temporal is and how it is reached. */
export interface TemporalConfig {
  readonly address: string;
  readonly namespace: string;
  readonly apiKey: string | null;
  readonly tls: boolean;
}

/** What the API and the worker read alike. README «Settings» lists every setting and who reads it. */
interface ProcessConfig {
  readonly mode: ServiceMode;
  readonly databaseUrl: string;
  readonly databasePoolSize: number;
  readonly temporal: TemporalConfig;
  readonly taskQueue: string;
  readonly host: string;
  readonly webhookAllowPrivate: boolean;
  readonly logLevel: string;
}

/** All settings of the API, read once at its start. */
export interface ApiConfig extends ProcessConfig {
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
}

/** All settings of the worker, read once at its start. */
export interface WorkerConfig extends ProcessConfig {
  readonly webhookMaxAttempts: number;
  readonly webhookExtraCaFile: string | null;
  readonly relayIntervalMs: number;
  /** Where the worker tells whether it lives; null: nowhere, for it needs no port. */
  readonly workerHealthPort: number | null;
  readonly continueAsNewAfterEvents: number | null;
}

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];

/** Reads the API's settings from environment variables. Throws a ConfigError that lists every fault. */
export function loadApiConfig(environment: NodeJS.ProcessEnv): ApiConfig {
  return readSettings(environment, (read) => ({
    ...processSettings(read),
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
  }));
}

/** Reads the worker's settings from environment variables. Throws a ConfigError that lists every fault. */
export function loadWorkerConfig(environment: NodeJS.ProcessEnv): WorkerConfig {
  return readSettings(environment, (read) => ({
    ...processSettings(read),
    webhookMaxAttempts: read.integer('WEBHOOK_MAX_ATTEMPTS', 3, 1, 10),
    webhookExtraCaFile: read.optional('WEBHOOK_EXTRA_CA_FILE'),
    relayIntervalMs: read.integer('RELAY_INTERVAL_MS', 3_000, 50, 600_000),
    workerHealthPort: read.optionalInteger('WORKER_HEALTH_PORT', 0, 65_535),
    continueAsNewAfterEvents: read.optionalInteger('CONTINUE_AS_NEW_AFTER_EVENTS', 20, 50_000),
  }));
}

/** Reads where Temporal is, for commands that need nothing else. Throws a ConfigError that lists every fault. */
export function loadTemporalConfig(environment: NodeJS.ProcessEnv): TemporalConfig {
  return readSettings(environment, temporalSettings);
}

/** Reads where the database is, for commands that need nothing else. Throws a ConfigError when it is not told. */
export function loadDatabaseUrl(environment: NodeJS.ProcessEnv): string {
  return readSettings(environment, (read) => read.required('DATABASE_URL'));
}

function processSettings(read: SettingReader): ProcessConfig {
  const mode = read.choice<ServiceMode>('SERVICE_MODE', ['laptop', 'production'], 'production');
  const webhookAllowPrivate = read.flag('WEBHOOK_ALLOW_PRIVATE', false);
  if (mode === 'production' && webhookAllowPrivate) {
    read.refuse('WEBHOOK_ALLOW_PRIVATE is for laptops and tests: unset it, or set SERVICE_MODE=laptop');
  }
  return {
    mode,
    databaseUrl: read.required('DATABASE_URL'),
    databasePoolSize: read.integer('DATABASE_POOL_SIZE', 15, 2, 500),
    temporal: temporalSettings(read),
    taskQueue: read.optional('TASK_QUEUE') ?? 'shipments',
    host: read.optional('HOST') ?? '127.0.0.1',
    webhookAllowPrivate,
    logLevel: read.choice('LOG_LEVEL', LOG_LEVELS, 'info'),
  };
}

function temporalSettings(read: SettingReader): TemporalConfig {
  const apiKey = read.optional('TEMPORAL_API_KEY');
  return {
    address: read.required('TEMPORAL_ADDRESS'),
    namespace: read.optional('TEMPORAL_NAMESPACE') ?? 'default',
    apiKey,
    tls: read.flag('TEMPORAL_TLS', apiKey !== null),
  };
}
