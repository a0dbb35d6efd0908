/** What a process in production is about to use; null for what it does not read. */
export interface StartSettings {
  readonly databaseUrl: string;
  readonly temporal: { readonly address: string; readonly tls: boolean };
  readonly tracing: { readonly endpoint: string } | null;
  readonly publicUrl: string | null;
  readonly jwtSecret: string | null;
  readonly trackingSecret: string | null;
  /** Whether the operator says that nobody else reads what these processes send to their servers. */
  readonly isNetworkPrivate: boolean;
}

/** One reason not to start in production. */
interface StartCheck {
  readonly isUnsafe: (settings: StartSettings) => boolean;
  /** What is wrong and what to do, without a value. */
  readonly problem: string;
}

const WEAK = 'is weak: make one with `openssl rand -hex 48`';
const PRIVATE = 'or set PRIVATE_NETWORK=1 where nobody else is on the network';

/** Why a process does not start in production (decision 0041): one row for each reason. */
export const START_CHECKS: readonly StartCheck[] = [
  { isUnsafe: ({ jwtSecret }) => isWeak(jwtSecret), problem: `JWT_SECRET ${WEAK}` },
  { isUnsafe: ({ trackingSecret }) => isWeak(trackingSecret), problem: `TRACKING_SECRET ${WEAK}` },
  {
    isUnsafe: ({ databaseUrl, isNetworkPrivate }) => !isNetworkPrivate && isPlaintextDatabase(databaseUrl),
    problem: `DATABASE_URL would send everything in plain text: add ?sslmode=verify-full, ${PRIVATE}`,
  },
  {
    isUnsafe: ({ temporal, isNetworkPrivate }) =>
      !isNetworkPrivate && !temporal.tls && !isLoopback(hostOf(temporal.address)),
    problem: `TEMPORAL_ADDRESS would be reached in plain text: set TEMPORAL_TLS=1, ${PRIVATE}`,
  },
  {
    isUnsafe: ({ tracing, isNetworkPrivate }) =>
      !isNetworkPrivate && tracing !== null && isPlaintextUrl(tracing.endpoint),
    problem: `OTEL_EXPORTER_OTLP_ENDPOINT must be https, except for localhost, ${PRIVATE}`,
  },
  {
    isUnsafe: ({ publicUrl }) => publicUrl !== null && isPlaintextUrl(publicUrl),
    problem: 'PUBLIC_URL must be https, except for localhost: passwords and tokens travel there',
  },
];

const FEWEST_DISTINCT_CHARACTERS = 8;
/** Words of secrets that somebody copied from an example. Random text has none of them. */
const PLACEHOLDER = /secret|password|change[-_ ]?me|example|insecure|placeholder/i;

/** Whether a secret was typed or copied rather than made at random. Its length is checked where it is read. */
function isWeak(secret: string | null): boolean {
  if (secret === null || secret === '') return false;
  const isRepeated = (secret + secret).indexOf(secret, 1) < secret.length;
  return isRepeated || new Set(secret).size < FEWEST_DISTINCT_CHARACTERS || PLACEHOLDER.test(secret);
}

const ENCRYPTED_MODES: readonly (string | null)[] = ['require', 'verify-ca', 'verify-full'];

function isPlaintextDatabase(databaseUrl: string): boolean {
  if (!URL.canParse(databaseUrl)) return databaseUrl !== '';
  const { hostname, searchParams } = new URL(databaseUrl);
  const host = searchParams.get('host') ?? hostname;
  // Without a host, or with a path for one, it is a socket of this machine.
  if (host === '' || host.startsWith('/') || isLoopback(host)) return false;
  return !ENCRYPTED_MODES.includes(searchParams.get('sslmode'));
}

function isPlaintextUrl(url: string): boolean {
  return url.startsWith('http:') && !isLoopback(new URL(url).hostname);
}

/** The host of `host:port`, of which an IPv6 address stands in brackets. */
function hostOf(address: string): string {
  return address.replace(/:\d+$/, '');
}

function isLoopback(host: string): boolean {
  return host === '' || host === 'localhost' || host === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(host);
}
