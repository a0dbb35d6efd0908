import type { LookupAddress, RecordWithTtl } from 'node:dns';
import { Resolver as DnsClient } from 'node:dns/promises';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import type { Resolver } from './outbound-address.ts';

/** A name server that does not answer is asked twice, for 2 s and then for 4 s. */
const QUERY_TIMEOUT_MS = 2_000;
const QUERY_TRIES = 2;
/** Addresses are kept for their TTL within these bounds, a failure for a moment: a burst of events asks once. */
const MINIMUM_TTL_SECONDS = 1;
const MAXIMUM_TTL_SECONDS = 300;
const FAILURE_TTL_SECONDS = 5;
const MAXIMUM_CACHED_HOSTS = 2_000;
const MS_PER_SECOND = 1_000;

interface Lookup {
  readonly addresses: Promise<readonly LookupAddress[]>;
  /** Infinite while the answer is awaited. */
  untilMs: number;
}

/**
 * Resolves hosts that strangers choose. It speaks DNS itself: the system's own lookup (`dns.lookup`) holds one of the
 * process's few pool threads for as long as a name server is silent, and so stops file access and password hashes. The
 * hosts file and `localhost` (RFC 6761 section 6.3) are honoured. Rejects when there is no address of either family.
 */
export function createDnsResolver(options: {
  /** Name servers as `setServers` takes them; null or by default those of the system. */
  readonly servers?: readonly string[] | null;
  readonly hostsFile?: string;
  readonly nowMs?: () => number;
}): Resolver {
  const { nowMs = () => performance.now() } = options;
  const client = new DnsClient({ timeout: QUERY_TIMEOUT_MS, tries: QUERY_TRIES });
  if (options.servers != null) client.setServers(options.servers);
  const hosts = readHostsFile(options.hostsFile ?? '/etc/hosts');
  const lookups = new Map<string, Lookup>();
  return (hostname) => {
    const host = hostname.toLowerCase().replace(/\.$/, '');
    const known = hosts.get(host) ?? (isLocalhost(host) ? LOOPBACK : undefined);
    if (known !== undefined) return Promise.resolve(known);
    const cached = lookups.get(host);
    if (cached !== undefined && cached.untilMs > nowMs()) return cached.addresses;
    const lookup = startLookup(client, host, nowMs);
    lookups.delete(host);
    const [oldest] = lookups.keys();
    if (lookups.size >= MAXIMUM_CACHED_HOSTS && oldest !== undefined) lookups.delete(oldest);
    lookups.set(host, lookup);
    return lookup.addresses;
  };
}

/** Whether a text names a name server: `192.0.2.1`, `192.0.2.1:53`, `2001:db8::1` or `[2001:db8::1]:53`. */
export function isNameServer(text: string): boolean {
  try {
    new DnsClient().setServers([text]);
    return true;
  } catch {
    return false;
  }
}

const LOOPBACK: readonly LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

function isLocalhost(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost');
}

function startLookup(client: DnsClient, host: string, nowMs: () => number): Lookup {
  const keepFor = (seconds: number): void => {
    lookup.untilMs = nowMs() + seconds * MS_PER_SECOND;
  };
  const answer = resolveBoth(client, host);
  const lookup: Lookup = {
    untilMs: Number.POSITIVE_INFINITY,
    addresses: answer.then((found) => found.map(({ address, family }) => ({ address, family }))),
  };
  answer.then(
    (found) => {
      const ttls = found.map(({ ttl }) => ttl);
      keepFor(Math.min(MAXIMUM_TTL_SECONDS, Math.max(MINIMUM_TTL_SECONDS, Math.min(...ttls))));
    },
    () => keepFor(FAILURE_TTL_SECONDS),
  );
  return lookup;
}

/** The A and the AAAA records; one family is enough. Rejects with the A lookup's failure when both are empty. */
async function resolveBoth(client: DnsClient, host: string) {
  const [four, six] = await Promise.allSettled([
    client.resolve4(host, { ttl: true }),
    client.resolve6(host, { ttl: true }),
  ]);
  const found = [...recordsOf(four, 4), ...recordsOf(six, 6)];
  if (found.length > 0) return found;
  throw four.status === 'rejected' ? four.reason : new Error('the host has no address');
}

function recordsOf(result: PromiseSettledResult<RecordWithTtl[]>, family: 4 | 6) {
  if (result.status === 'rejected') return [];
  return result.value.map(({ address, ttl }) => ({ address, ttl, family }));
}

/** The hosts file (hosts(5)): an address and its names on each line. A system without one has none of either. */
function readHostsFile(file: string): ReadonlyMap<string, readonly LookupAddress[]> {
  const hosts = new Map<string, LookupAddress[]>();
  for (const line of textOf(file).split('\n')) {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    const family = isIP(address);
    if (family === 0) continue;
    for (const name of names) {
      const host = name.toLowerCase();
      hosts.set(host, [...(hosts.get(host) ?? []), { address, family }]);
    }
  }
  return hosts;
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
