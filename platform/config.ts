import { parseKeyPairsIntoRecord } from '@opentelemetry/core';
import { isNameServer } from './dns-resolver.ts';
import { GEOCODER_PATHS, geocoderFormOf } from './geocoder-forms.ts';
import type { SealingKey } from './sealing.ts';
import { parseSealingKeys, SEALING_KEYS_RULE } from './sealing.ts';
import type { SettingForm, SettingReader } from './setting-reader.ts';
import { readSettings, settingsOf } from './setting-reader.ts';
import type { SettingName } from './settings.ts';
import type { TraceSettings } from './tracing/start-tracing.ts';
import type { StartSettings } from './start-checks.ts';
import { START_CHECKS } from './start-checks.ts';

/** Where the service runs: a laptop brings its own engines and trusts its own certificate authority. */
export type ServiceMode = 'laptop' | 'production';

/** Where Temporal is and how it is reached. */
export interface TemporalConfig {
  readonly address: string;
  readonly namespace: string;
  readonly apiKey: string | null;
  readonly tls: boolean;
}

/** One build of the worker among those that may run side by side (decision 0014). */
export interface WorkerVersion {
  /** The deployment that the builds belong to. */
  readonly deploymentName: string;
  readonly buildId: string;
}

/** Names as Temporal takes them: neither `.` nor `:` in a deployment's, no leading `__` in either. */
const DEPLOYMENT_NAME = /^(?!__)[\w-]{1,100}$/;
const BUILD_ID = /^(?!__)[\w.+-]{1,100}$/;

/** A name may stand in the first label of the host, for the several hosts of one source: `{s}.tiles.example.com`. */
const TILES_URL =
  /^https?:\/\/(?:[\w-]*\{\w+\}[\w-]*\.)?[\w-]+(?:\.[\w-]+)*(?::\d+)?\/(?=\S*\{z\})(?=\S*\{x\})(?=\S*\{y\})\S+$/;
const TILES_URL_RULE = 'an http or https address with {z}, {x} and {y}';

/** RFC 9116 section 2.5.3: a URI; a web address needs https. */
const SECURITY_CONTACT = /^(?:mailto:[^\s,@]+@[^\s,@]+|https:\/\/[^\s,]+|tel:\+[\d-]+)$/;

/** As OpenTelemetry takes them: values are percent-encoded. */
const HEADER_PAIRS = /^[\w.-]+=[^,;\s]+(?:,[\w.-]+=[^,;\s]+)*$/;
const HEADER_PAIRS_RULE = '`name=value` pairs, separated by commas';
const SHARE = /^(?:0(?:\.\d+)?|1(?:\.0+)?)$/;

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];

/** All settings of the API, read once at its start. */
export type ApiConfig = Readonly<ReturnType<typeof apiSettings>>;
/** All settings of the worker, read once at its start. */
export type WorkerConfig = Readonly<ReturnType<typeof workerSettings>>;

/** Reads the API's settings from environment variables. Throws a ConfigError that lists every fault. */
export function loadApiConfig(environment: NodeJS.ProcessEnv): ApiConfig {
  return readSettings(environment, apiSettings);
}

/** Reads the worker's settings from environment variables. Throws a ConfigError that lists every fault. */
export function loadWorkerConfig(environment: NodeJS.ProcessEnv): WorkerConfig {
  return readSettings(environment, workerSettings);
}

/** Reads what the command `worker-deployment` needs. Throws a ConfigError that lists every fault. */
export function loadWorkerDeploymentConfig(environment: NodeJS.ProcessEnv) {
  return readSettings(environment, (read) => ({
    temporal: temporalSettings(read),
    deploymentName: deploymentName(read),
    /** The build that the command means where its arguments name none. */
    buildId: buildId(read),
  }));
}

/** Reads where Temporal is, for commands that need nothing else. Throws a ConfigError that lists every fault. */
export function loadTemporalConfig(environment: NodeJS.ProcessEnv): TemporalConfig {
  return readSettings(environment, temporalSettings);
}

/** Reads where the database is, for commands that need nothing else. Throws a ConfigError when it is not set. */
export function loadDatabaseUrl(environment: NodeJS.ProcessEnv): string {
  return readSettings(environment, (read) => read.required('DATABASE_URL'));
}

/** The settings that each process reads, in the order of their reading: what docs/settings.md is made of. */
export function settingsByReader(): Readonly<Record<'API' | 'worker', readonly SettingForm[]>> {
  return { API: settingsOf(apiSettings), worker: settingsOf(workerSettings) };
}

/** Reads what stored secrets are sealed with, for commands. Throws a ConfigError when the form is wrong. */
export function loadEncryptionKeys(environment: NodeJS.ProcessEnv): readonly SealingKey[] {
  return readSettings(environment, encryptionKeys);
}

function apiSettings(read: SettingReader) {
  const settings = {
    ...processSettings(read),
    port: read.integer('PORT', 8080, 0, 65_535),
    /** The private port of the API's metrics; null: none. */
    metricsPort: read.optionalInteger('METRICS_PORT', 0, 65_535),
    publicUrl: publicUrl(read).replace(/\/+$/, ''),
    jwtSecret: read.secret('JWT_SECRET'),
    jwtLifetimeSeconds: read.integer('JWT_LIFETIME_SECONDS', 14_400, 1, 86_400),
    refreshLifetimeSeconds: read.integer('REFRESH_LIFETIME_SECONDS', 2_592_000, 1, 31_536_000),
    /** How long a session of tokens lasts, however it is refreshed. */
    sessionLifetimeSeconds: read.integer('SESSION_LIFETIME_SECONDS', 7_776_000, 60, 31_536_000),
    externalRequestsPerMinute: read.integer('EXTERNAL_REQUESTS_PER_MINUTE', 100, 1, 100_000),
    /** Guesses at one account's password from one address. */
    loginAttemptsPerMinute: read.integer('LOGIN_ATTEMPTS_PER_MINUTE', 5, 1, 100_000),
    /** Wrong guesses from one address, whatever the accounts. */
    loginFailuresPerMinute: read.integer('LOGIN_FAILURES_PER_MINUTE', 60, 1, 100_000),
    /** Passwords that are hashed at a time; null: as many as the machine bears (api/auth/passwords.ts). */
    passwordHashesAtOnce: read.optionalInteger('PASSWORD_HASHES_AT_ONCE', 1, 1_024),
    /** Of the numbers in domain/request-budgets.ts: 100 takes them as they are. */
    requestBudgetPercent: read.integer('REQUEST_BUDGET_PERCENT', 100, 10, 1_000_000),
    commandWaitMs: read.integer('COMMAND_WAIT_MS', 5_000, 0, 60_000),
    /** Commands of one shipment that may wait for their decision; more are answered with 429. */
    maxUndecidedCommands: read.integer('MAX_UNDECIDED_COMMANDS', 100, 1, 10_000),
    /** How long an Idempotency-Key of a transition lives; other keys live 24 hours. */
    transitionKeyDays: transitionKeyDays(read),
    trustedProxyHops: read.integer('TRUSTED_PROXY_HOPS', 0, 0, 10),
    /** What tracking links are made of; null: derived from `jwtSecret` (api/tracking/tracking-token.ts). */
    trackingSecret: read.optionalSecret('TRACKING_SECRET'),
    /** Of one address, for the page of recipients. */
    trackingRequestsPerMinute: read.integer('TRACKING_REQUESTS_PER_MINUTE', 60, 1, 100_000),
    trackingUrlTemplate: read.optional('TRACKING_URL_TEMPLATE'),
    /** Temporal's Web UI, for links of the console; it shows the histories of all organizations. */
    temporalUiUrl: httpUrl(read, 'TEMPORAL_UI_URL')?.replace(/\/+$/, '') ?? null,
    /** Map tiles of the console (raster, XYZ); null: coasts and borders alone. */
    mapTilesUrl: read.matching('MAP_TILES_URL', TILES_URL, TILES_URL_RULE),
    /** Whose tiles they are, as the map shows it. */
    mapTilesAttribution: read.optional('MAP_TILES_ATTRIBUTION'),
    /** The address of a geocoder's search; null: none is set. */
    geocoderUrl: geocoderUrl(read),
    /** Who is told of a weakness: URIs for `/.well-known/security.txt`, the first preferred; empty: no such file. */
    securityContacts: securityContacts(read),
  };
  reportUnsafeStart(read, settings);
  return settings;
}

function workerSettings(read: SettingReader) {
  const settings = {
    ...processSettings(read),
    webhookMaxAttempts: read.integer('WEBHOOK_MAX_ATTEMPTS', 3, 1, 10),
    webhookExtraCaFile: read.optional('WEBHOOK_EXTRA_CA_FILE'),
    reconcilerIntervalMs: read.integer('RECONCILER_INTERVAL_MS', 3_000, 50, 600_000),
    /** The port of the worker's health page; null: none. */
    workerHealthPort: read.optionalInteger('WORKER_HEALTH_PORT', 0, 65_535),
    /** The private port on which Temporal's SDK answers with its own metrics; null: it keeps none. */
    temporalMetricsPort: read.optionalInteger('TEMPORAL_METRICS_PORT', 1, 65_535),
    continueAsNewAfterEvents: read.optionalInteger('CONTINUE_AS_NEW_AFTER_EVENTS', 20, 50_000),
    retention: retention(read),
    version: workerVersion(read),
  };
  reportUnsafeStart(read, { ...settings, publicUrl: null, jwtSecret: null, trackingSecret: null });
  return settings;
}

function transitionKeyDays(read: SettingReader): number {
  return read.integer('TRANSITION_KEY_DAYS', 30, 1, 365);
}

/** For how many days what has ended is kept (store/retention.ts); null: for ever. */
function retention(read: SettingReader) {
  const commandDays = read.optionalInteger('COMMAND_RETENTION_DAYS', 1, 36_500);
  // A repeated transition whose answer was lost finds its command, or it would be taken for another one.
  const leastDays = transitionKeyDays(read);
  if (commandDays !== null && commandDays < leastDays) {
    read.report('COMMAND_RETENTION_DAYS must be at least TRANSITION_KEY_DAYS');
  }
  return {
    commandDays,
    webhookEventDays: read.optionalInteger('WEBHOOK_RETENTION_DAYS', 1, 36_500),
    timelineDays: read.optionalInteger('TIMELINE_RETENTION_DAYS', 1, 36_500),
    auditDays: read.optionalInteger('AUDIT_RETENTION_DAYS', 91, 36_500),
  };
}

/** In production every reason of platform/start-checks.ts not to start is a fault of the settings. */
function reportUnsafeStart(
  read: SettingReader,
  settings: StartSettings & { readonly mode: ServiceMode },
): void {
  if (settings.mode !== 'production') return;
  for (const { isUnsafe, problem } of START_CHECKS) if (isUnsafe(settings)) read.report(problem);
}

/** What the API and the worker read alike. docs/settings.md lists every setting and who reads it. */
function processSettings(read: SettingReader) {
  const mode = read.choice<ServiceMode>('SERVICE_MODE', ['laptop', 'production'], 'production');
  const webhookAllowPrivate = read.flag('WEBHOOK_ALLOW_PRIVATE', false);
  if (mode === 'production' && webhookAllowPrivate) {
    read.report('WEBHOOK_ALLOW_PRIVATE is for laptops and tests: unset it, or set SERVICE_MODE=laptop');
  }
  return {
    mode,
    databaseUrl: read.required('DATABASE_URL'),
    /** What stored secrets are sealed with; without keys they are stored as they are. */
    encryptionKeys: encryptionKeys(read),
    /** Connections of this process. The worker derives from it how many tasks it takes on (worker/create-worker.ts). */
    databasePoolSize: read.integer('DATABASE_POOL_SIZE', 20, 4, 500),
    temporal: temporalSettings(read),
    /** Whether the operator says that nobody else is on the network (platform/start-checks.ts). */
    isNetworkPrivate: read.flag('PRIVATE_NETWORK', false),
    taskQueue: read.text('TASK_QUEUE', 'shipments'),
    host: read.text('HOST', '127.0.0.1'),
    webhookAllowPrivate,
    /** Who is asked for the addresses of receivers; null: the system's name servers. */
    webhookNameServers: nameServers(read),
    logLevel: read.choice('LOG_LEVEL', LOG_LEVELS, 'info'),
    /** The collector of traces; null: none. */
    tracing: traceSettings(read),
  };
}

const HTTP_URL = 'an http or https address';

/** The names and forms are those of OpenTelemetry's specification, so that its other variables fit. */
function traceSettings(read: SettingReader): TraceSettings | null {
  const endpoint = httpUrl(read, 'OTEL_EXPORTER_OTLP_ENDPOINT');
  const pairs = read.matching('OTEL_EXPORTER_OTLP_HEADERS', HEADER_PAIRS, HEADER_PAIRS_RULE);
  const share = read.matchingText('OTEL_TRACES_SAMPLER_ARG', SHARE, 'a number from 0 to 1', '1');
  if (endpoint === null) return null;
  return { endpoint, headers: parseKeyPairsIntoRecord(pairs ?? ''), share: Number(share) };
}

function publicUrl(read: SettingReader): string {
  return checkedHttpUrl(read, 'PUBLIC_URL', read.text('PUBLIC_URL', 'http://localhost:8080', HTTP_URL)) ?? '';
}

function httpUrl(read: SettingReader, name: SettingName): string | null {
  return checkedHttpUrl(read, name, read.optional(name, HTTP_URL));
}

function checkedHttpUrl(read: SettingReader, name: SettingName, url: string | null): string | null {
  if (url === null || (/^https?:\/\//.test(url) && URL.canParse(url))) return url;
  read.report(`${name} must be ${HTTP_URL}`);
  return null;
}

function encryptionKeys(read: SettingReader): readonly SealingKey[] {
  const text = read.optional('ENCRYPTION_KEYS', SEALING_KEYS_RULE);
  const keys = text === null ? [] : parseSealingKeys(text);
  if (keys === undefined) read.report(`ENCRYPTION_KEYS must be ${SEALING_KEYS_RULE}`);
  return keys ?? [];
}

function nameServers(read: SettingReader): readonly string[] | null {
  const rule = 'IP addresses, each with or without a port, separated by commas';
  const servers = read.optional('WEBHOOK_NAME_SERVERS', rule)?.split(',') ?? null;
  if (servers?.every(isNameServer) ?? true) return servers;
  read.report(`WEBHOOK_NAME_SERVERS must be ${rule}`);
  return null;
}

function geocoderUrl(read: SettingReader): string | null {
  const rule = `${HTTP_URL} without a user name whose path ends in ${GEOCODER_PATHS.join(' or ')}`;
  const url = read.optional('GEOCODER_URL', rule);
  if (url === null || geocoderFormOf(url) !== undefined) return url;
  read.report(`GEOCODER_URL must be ${rule}`);
  return null;
}

function securityContacts(read: SettingReader): readonly string[] {
  const contacts = read.optional('SECURITY_CONTACT')?.split(',') ?? [];
  if (contacts.every((contact) => SECURITY_CONTACT.test(contact))) return contacts;
  read.report('SECURITY_CONTACT must be mailto:, https: or tel: addresses, separated by commas');
  return [];
}

function workerVersion(read: SettingReader): WorkerVersion | null {
  const name = deploymentName(read);
  const id = buildId(read);
  return id === null ? null : { deploymentName: name, buildId: id };
}

function deploymentName(read: SettingReader): string {
  const rule = '1 to 100 letters, digits, - and _, and not begin with __';
  return read.matchingText('WORKER_DEPLOYMENT_NAME', DEPLOYMENT_NAME, rule, 'shipments');
}

function buildId(read: SettingReader): string | null {
  const rule = '1 to 100 letters, digits, ., +, - and _, and not begin with __';
  return read.matching('WORKER_BUILD_ID', BUILD_ID, rule);
}

function temporalSettings(read: SettingReader): TemporalConfig {
  const apiKey = read.optional('TEMPORAL_API_KEY');
  return {
    address: read.required('TEMPORAL_ADDRESS'),
    namespace: read.text('TEMPORAL_NAMESPACE', 'default'),
    apiKey,
    tls: read.flag('TEMPORAL_TLS', apiKey !== null),
  };
}
