/**
 * Every setting of the service by its name: what it means, and where no value of its own stands for an absent one, what happens
 * then. Its form and its default stand where it is read (platform/config.ts). docs/settings.md is made of both.
 */
export const SETTINGS = {
  SERVICE_MODE: {
    meaning: 'where the service runs; `npm start` sets `laptop` when it brings its own engines',
  },
  DATABASE_URL: { meaning: 'PostgreSQL: `postgres://user:password@host/database`' },
  ENCRYPTION_KEYS: {
    meaning:
      'what webhook secrets are encrypted with in the database; see Deployment, «Keys of stored secrets»',
    unset: 'they are stored as they are',
  },
  DATABASE_POOL_SIZE: { meaning: 'connections of each process; the worker takes on tasks in proportion' },
  TEMPORAL_ADDRESS: { meaning: 'host and port of Temporal’s frontend' },
  TEMPORAL_NAMESPACE: { meaning: 'the namespace of Temporal that holds the workflows' },
  TEMPORAL_API_KEY: { meaning: 'for Temporal Cloud' },
  TEMPORAL_TLS: { meaning: 'whether the connection to Temporal is encrypted', unset: 'on with an API key' },
  PRIVATE_NETWORK: {
    meaning:
      '`1`: PostgreSQL and Temporal may be reached in plain text, since nobody else is near (decision 0041)',
  },
  TASK_QUEUE: { meaning: 'webhooks are sent from `<TASK_QUEUE>-webhooks`' },
  HOST: { meaning: 'address to listen on, for the API and for the worker’s health page' },
  PORT: { meaning: 'its port; `0` takes a free one' },
  PUBLIC_URL: { meaning: 'where others reach the API' },
  JWT_SECRET: { meaning: 'signs the tokens; `npm start` makes one for itself' },
  JWT_LIFETIME_SECONDS: { meaning: 'of a token: 4 hours' },
  REFRESH_LIFETIME_SECONDS: { meaning: 'of a refresh token: 30 days' },
  SESSION_LIFETIME_SECONDS: { meaning: 'of a session of tokens, however often it is refreshed: 90 days' },
  EXTERNAL_REQUESTS_PER_MINUTE: { meaning: 'of an organization on the external API, in a sliding window' },
  LOGIN_ATTEMPTS_PER_MINUTE: { meaning: 'for each address and account' },
  LOGIN_FAILURES_PER_MINUTE: { meaning: 'wrong passwords for each address, an IPv4 address or an IPv6 /64' },
  PASSWORD_HASHES_AT_ONCE: {
    meaning: 'of one process; at most 3 unless set, since Node’s thread pool has 4 threads',
    unset: 'one less than the cores',
  },
  REQUEST_BUDGET_PERCENT: { meaning: 'of the budgets that users and organizations have for their requests' },
  COMMAND_WAIT_MS: { meaning: 'how long a caller waits for an outcome before it gets 202' },
  MAX_UNDECIDED_COMMANDS: { meaning: 'commands of one shipment that may wait for a decision; more get 429' },
  TRANSITION_KEY_DAYS: {
    meaning: 'how long an `Idempotency-Key` of a transition lives; others live 24 hours',
  },
  TRUSTED_PROXY_HOPS: { meaning: 'proxies before the API whose `X-Forwarded-For` is believed' },
  TRACKING_SECRET: {
    meaning: 'what links for recipients are made of; never change it',
    unset: 'made of `JWT_SECRET`',
  },
  TRACKING_REQUESTS_PER_MINUTE: { meaning: 'of one address, for the page of recipients' },
  TRACKING_URL_TEMPLATE: {
    meaning: 'another page for recipients, with `{token}` or `{trackingNumber}` in it',
  },
  TEMPORAL_UI_URL: {
    meaning: 'Temporal’s Web UI, linked for staff; it shows the histories of all organizations',
  },
  MAP_TILES_URL: {
    meaning: 'tiles of the console’s map, `https://…/{z}/{x}/{y}.png`; without it, coasts alone',
  },
  MAP_TILES_ATTRIBUTION: { meaning: 'whose tiles they are, as the map shows it' },
  SECURITY_CONTACT: { meaning: '`mailto:` or `https:` addresses for `/.well-known/security.txt`' },
  METRICS_PORT: { meaning: 'where Prometheus reads the API’s metrics; without it, nowhere; never public' },
  TEMPORAL_METRICS_PORT: {
    meaning: 'where Temporal’s SDK answers with its own metrics; without it, nowhere; never public',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    meaning: 'the collector of traces, `http://localhost:4318` for instance; without it none are kept',
  },
  OTEL_EXPORTER_OTLP_HEADERS: { meaning: 'what its requests carry, a key for instance; percent-encoded' },
  OTEL_TRACES_SAMPLER_ARG: { meaning: 'which share of the traces that begin here is kept' },
  GEOCODER_URL: {
    meaning: 'the search of a geocoder: Photon’s `https://…/api` or Nominatim’s `https://…/search`',
  },
  WEBHOOK_MAX_ATTEMPTS: { meaning: 'requests for each notification' },
  WEBHOOK_ALLOW_PRIVATE: { meaning: 'lets webhooks reach private addresses: laptops and tests only' },
  WEBHOOK_NAME_SERVERS: {
    meaning: 'who is asked for the addresses of receivers: `192.0.2.1,192.0.2.2:53`',
    unset: 'those of the system',
  },
  WEBHOOK_EXTRA_CA_FILE: { meaning: 'a PEM file of authorities that are trusted for webhooks in addition' },
  RECONCILER_INTERVAL_MS: { meaning: 'between two passes of the reconciler' },
  COMMAND_RETENTION_DAYS: {
    meaning: 'how long decided commands are kept; no less than `TRANSITION_KEY_DAYS`',
    unset: 'for ever',
  },
  WEBHOOK_RETENTION_DAYS: {
    meaning:
      'how long delivered webhook events of ended shipments are kept, with their attempts; none of them can be replayed afterwards',
    unset: 'for ever',
  },
  TIMELINE_RETENTION_DAYS: {
    meaning: 'how long the timelines of ended shipments are kept, counted from their last entry',
    unset: 'for ever',
  },
  AUDIT_RETENTION_DAYS: { meaning: 'how long the audit log is kept', unset: 'for ever' },
  WORKER_HEALTH_PORT: {
    meaning: 'the worker’s health pages and `/metrics`; without it, nowhere; never public',
  },
  CONTINUE_AS_NEW_AFTER_EVENTS: {
    meaning: 'length of a history after which a run begins a new one',
    unset: 'when Temporal suggests it',
  },
  WORKER_DEPLOYMENT_NAME: { meaning: 'the worker deployment in Temporal that the worker’s builds belong to' },
  WORKER_BUILD_ID: {
    meaning: 'which build this worker is, for roll forward and back; without it versioning is off',
  },
  LOG_LEVEL: { meaning: 'the least severe lines that are written; SIGUSR2 switches to `debug` and back' },
} as const satisfies Record<string, SettingText>;

/** What docs/settings.md says of a setting besides its form and its default. */
export interface SettingText {
  readonly meaning: string;
  /** What happens without the setting, where that is no default value. */
  readonly unset?: string;
}

/** A setting that the service knows. */
export type SettingName = keyof typeof SETTINGS;
