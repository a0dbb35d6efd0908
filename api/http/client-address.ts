import ipaddr from 'ipaddr.js';
import type { Context } from 'koa';

/** Of the eight 16-bit parts of an IPv6 address, those that a network is given; all else one customer chooses freely. */
const IPV6_NETWORK_PARTS = 4;
const BITS_PER_BYTE = 8;

/**
 * The caller's address as limits count it: an IPv4 address, or the /64 of an IPv6 one. `X-Forwarded-For` is read as far as
 * proxies of ours wrote it (`proxy` and `maxIpsCount` of the app): with one trusted hop the last entry is the client, and the
 * entries before it are the client's own claim. Empty entries do not count (RFC 9110 section 5.6.1), koa counts them. A request
 * with fewer entries did not come through all proxies; it counts by the address of its connection, and so does one whose entry
 * is not an address.
 */
export function clientAddress({ app, headers, socket }: Context): string {
  const sender = socket.remoteAddress ?? 'unknown';
  const entry = app.proxy ? forwardedFor(headers['x-forwarded-for']).at(-app.maxIpsCount) : undefined;
  return (entry === undefined ? undefined : networkOf(withoutPort(entry))) ?? countedAddress(sender);
}

function forwardedFor(header: string | readonly string[] | undefined = ''): readonly string[] {
  const entries = String(header).split(',');
  return entries.map((entry) => entry.trim()).filter((entry) => entry !== '');
}

/** An address as limits count it; text that is not an address counts as it is. */
export function countedAddress(address: string): string {
  return networkOf(address) ?? address;
}

/** Some proxies write the client's port too: `203.0.113.7:4711`, `[2001:db8::7]:4711`. */
function withoutPort(entry: string): string {
  const match = /^\[([^\]]+)\](?::\d+)?$/.exec(entry) ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(entry);
  return match?.[1] ?? entry;
}

/** Undefined where the text is not an address. */
function networkOf(text: string): string | undefined {
  if (!ipaddr.isValid(text)) return undefined;
  const address = ipaddr.process(text);
  if (address instanceof ipaddr.IPv4) return address.toString();
  if (address.range() === 'rfc6052') return translatedIpv4(address);
  const network = address.parts.slice(0, IPV6_NETWORK_PARTS).map((part) => part.toString(16));
  return `${network.join(':')}::/64`;
}

/** An IPv4 client as a translator in front of us writes it (RFC 6052): all of them share one /64. */
function translatedIpv4({ parts }: ipaddr.IPv6): string {
  return parts
    .slice(-2)
    .flatMap((part) => [part >> BITS_PER_BYTE, part & 0xff])
    .join('.');
}
