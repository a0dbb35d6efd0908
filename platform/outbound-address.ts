import type { LookupAddress } from 'node:dns';
import { setTimeout as delay } from 'node:timers/promises';
import ipaddr from 'ipaddr.js';

/** The only block from which public IPv6 addresses are given (RFC 4291 section 2.4); all others are rejected. */
const PUBLIC_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');
/** Metadata services that answer at addresses of the public range. */
const METADATA_ADDRESSES = ['168.63.129.16'];

/** Returns why an address must not be connected to; undefined for a public unicast address (interpretation 45). */
export function addressProblem(address: string): string | undefined {
  if (!ipaddr.isValid(address)) return 'the host has no valid address';
  // Mapped, 6to4, NAT64 and Teredo forms carry an IPv4 address that the kernel or a gateway may reach.
  const parsed = ipaddr.process(address);
  const range = parsed.range();
  if (range !== 'unicast') return `the address is ${range}, not public`;
  if (parsed instanceof ipaddr.IPv6 && !parsed.match(PUBLIC_IPV6)) return 'the address is not public';
  if (METADATA_ADDRESSES.includes(parsed.toString())) return 'the address is a metadata service, not public';
  return undefined;
}

/**
 * Ports of other protocols, which would take an HTTP request for one of their own: the bad ports of the Fetch standard
 * (https://fetch.spec.whatwg.org/#port-blocking).
 */
const BAD_PORTS: ReadonlySet<string> = new Set(
  `0 1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 111 113 115 117 119 123 135 137
   139 143 161 179 389 427 465 512 513 514 515 526 530 531 532 540 548 554 556 563 587 601 636 989 990 993 995 1719 1720 1723
   2049 3659 4045 4190 5060 5061 6000 6566 6665 6666 6667 6668 6669 6679 6697 10080`.split(/\s+/),
);

/**
 * Why a webhook's URL must not be used, by its text alone: HTTPS, no user name, no port of another protocol, no private
 * literal address.
 */
export function urlProblem(text: string, allowPrivate: boolean): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined) return 'it must be a URL';
  if (url.protocol !== 'https:') return 'it must begin with https://';
  if (url.username !== '' || url.password !== '') return 'it must not contain a user name or password';
  if (BAD_PORTS.has(url.port)) return `its port ${url.port} belongs to another protocol`;
  if (allowPrivate) return undefined;
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (ipaddr.isValid(host)) return addressProblem(host);
  return /(?:^|\.)localhost$|\.local$|\.internal$/.test(host) ? 'the host is not public' : undefined;
}

/** Resolves a host to all of its addresses. */
export type Resolver = (hostname: string) => Promise<readonly LookupAddress[]>;

/**
 * Checks a URL as it stands now: its text and every address of its host. One address that is not
 * public rejects the whole host, since a client may be handed any of them. Undefined means usable; a host
 * that does not resolve is rejected too, and so is one whose name servers take longer than a caller can wait.
 */
export async function targetProblem(
  text: string,
  resolve: Resolver,
  allowPrivate: boolean,
  boundMs: number = MAXIMUM_LOOKUP_MS,
): Promise<string | undefined> {
  const problem = urlProblem(text, allowPrivate);
  if (problem !== undefined || allowPrivate) return problem;
  const host = new URL(text).hostname.replace(/^\[|\]$/g, '');
  if (ipaddr.isValid(host)) return undefined;
  const answered = new AbortController();
  try {
    const late = delay(boundMs, 'late' as const, { signal: answered.signal });
    const addresses = await Promise.race([resolve(host), late]);
    if (addresses === 'late') return `the host was not found within ${boundMs / 1_000} s`;
    return addressesProblem(addresses);
  } catch {
    return 'the host cannot be found';
  } finally {
    answered.abort();
  }
}

/** Returns why a host with these addresses must not be connected to: one that is not public is enough. */
export function addressesProblem(addresses: readonly LookupAddress[]): string | undefined {
  if (addresses.length === 0) return 'the host has no address';
  return addresses.map(({ address }) => addressProblem(address)).find((problem) => problem !== undefined);
}

/** The system's own resolver gives up only after tries on each of its servers. */
const MAXIMUM_LOOKUP_MS = 5_000;
