import ipaddr from 'ipaddr.js';
import type { Context } from 'koa';

/** Of the eight 16-bit parts of an IPv6 address, those that a network is given; all else one customer chooses freely. */
const IPV6_NETWORK_PARTS = 4;
const BITS_PER_BYTE = 8;

/**
 * The caller's address as login limits count it: an IPv4 address, or the /64 of an IPv6 one. `X-Forwarded-For` is
 * believed only as far as proxies of ours wrote it: with one trusted hop its last entry is the client, and what stands
 * before it is the client's own claim.
 */
export function clientAddress(context: Context, trustedHops: number): string {
  return countedAddress(
    context.req.socket.remoteAddress ?? 'unknown',
    context.get('x-forwarded-for'),
    trustedHops,
  );
}

/** As `clientAddress`, of the address that a connection came from and the header. */
export function countedAddress(socketAddress: string, forwardedFor: string, trustedHops: number): string {
  const entries = trustedHops === 0 ? [] : forwardedFor.split(',');
  const entry = entries.at(-trustedHops)?.trim() ?? '';
  return networkOf(withoutPort(entry)) ?? networkOf(socketAddress) ?? socketAddress;
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
