import { readFileSync } from 'node:fs';
import type { LookupFunction } from 'node:net';
import { Readable } from 'node:stream';
import { createSecureContext, rootCertificates } from 'node:tls';
import { Agent } from 'undici';
import { createDnsResolver } from './dns-resolver.ts';
import type { Resolver } from './outbound-address.ts';
import { addressesProblem, urlProblem } from './outbound-address.ts';

/** What came of one POST. */
export type OutboundAnswer =
  | { readonly kind: 'answered'; readonly statusCode: number }
  /** The URL, or an address that its host resolved to, must not be connected to. */
  | { readonly kind: 'refused_address'; readonly reason: string }
  /** No whole answer came: timeout, refused connection, TLS trouble and the like. */
  | { readonly kind: 'failed'; readonly reason: string };

/** Posts bytes to addresses that others chose. */
export interface OutboundClient {
  /**
   * Makes one POST; never throws for what the other side does. `timeoutMs` covers resolving, connecting and the whole
   * answer.
   */
  readonly post: (
    url: string,
    request: {
      readonly body: Uint8Array;
      readonly headers: Readonly<Record<string, string>>;
      readonly timeoutMs: number;
      /**
       * Runs when the connection is made, right before the first byte of the request is written to it, which waits. It
       * does not count as the receiver's time. When it rejects, nothing is sent, and `post` rejects with its reason.
       */
      readonly beforeSend?: () => Promise<void>;
    },
  ) => Promise<OutboundAnswer>;
  readonly close: () => Promise<void>;
}

const MAXIMUM_ANSWER_BYTES = 65_536;
const CONNECT_TIMEOUT_MS = 10_000;
const KEEP_ALIVE_MS = 10_000;

class BlockedAddressError extends Error {}
/** What ran before the request failed, by its cause. */
class NotSentError extends Error {}

/**
 * A client for webhooks (interpretation 45): HTTPS alone, redirects not followed, every resolved address checked and
 * the checked one connected to, certificates always verified. `extraCaFile` (PEM) is trusted in addition;
 * `allowPrivate` is for laptops and tests.
 */
export function createOutboundClient(options: {
  readonly allowPrivate: boolean;
  readonly extraCaFile: string | null;
  readonly resolve?: Resolver;
}): OutboundClient {
  const agent = new Agent({
    // No bound: the slots of the lanes are one, and a request that waits for a connection of ours would lose its time.
    connections: null,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connect: {
      timeout: CONNECT_TIMEOUT_MS,
      lookup: checkedLookup(options.resolve ?? createDnsResolver({}), options.allowPrivate),
      // Made once: reading some 140 root certificates for each connection would cost more than the connection.
      ...(options.extraCaFile === null
        ? {}
        : {
            secureContext: createSecureContext({
              ca: [...rootCertificates, readFileSync(options.extraCaFile, 'utf8')],
            }),
          }),
    },
  });
  return {
    async post(url, { body, headers, timeoutMs, beforeSend }) {
      // The lookup below is not asked for literal addresses, so the URL itself is checked at each sending.
      const problem = urlProblem(url, options.allowPrivate);
      if (problem !== undefined) return { kind: 'refused_address', reason: problem };
      const { origin, pathname, search } = new URL(url);
      const countdown = startCountdown(timeoutMs);
      const exchange = async (): Promise<OutboundAnswer> => {
        const answer = await agent.request({
          origin,
          path: `${pathname}${search}`,
          method: 'POST',
          headers: { ...headers, 'content-length': String(body.byteLength) },
          body: Readable.from(bytesAfter(beforeSend, body, countdown), { objectMode: false }),
          signal: countdown.signal,
          headersTimeout: 0,
          bodyTimeout: 0,
        });
        await readAway(answer.body);
        return { kind: 'answered', statusCode: answer.statusCode };
      };
      try {
        return await inTime(exchange(), countdown.signal);
      } catch (error) {
        if (error instanceof NotSentError) throw error.cause;
        return failureOf(error);
      } finally {
        countdown.stop();
      }
    },
    close: () => agent.destroy(),
  };
}

/** A body that undici asks for once it has a connection: it writes the headers together with the first bytes. */
async function* bytesAfter(
  before: (() => Promise<void>) | undefined,
  body: Uint8Array,
  countdown: Countdown,
): AsyncGenerator<Uint8Array> {
  try {
    if (before !== undefined) await countdown.without(before);
  } catch (error) {
    throw new NotSentError('the request was not sent', { cause: error });
  }
  yield body;
}

/** The receiver's time. The signal aborts at its end. */
interface Countdown {
  readonly signal: AbortSignal;
  /** Does work that is not counted. */
  readonly without: (work: () => Promise<void>) => Promise<void>;
  readonly stop: () => void;
}

function startCountdown(durationMs: number): Countdown {
  const controller = new AbortController();
  let remainingMs = durationMs;
  let resumedAt = 0;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const resume = (): void => {
    resumedAt = performance.now();
    if (!isStopped) timer = setTimeout(() => controller.abort(), Math.max(0, remainingMs));
  };
  resume();
  return {
    signal: controller.signal,
    without: async (work) => {
      clearTimeout(timer);
      remainingMs -= performance.now() - resumedAt;
      await work().finally(resume);
    },
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

/**
 * Rejects when the signal aborts before the work is done. undici looks at the signal only once a request has its
 * connection: without this, resolving, connecting and waiting for a free connection would not count.
 */
export function inTime<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(new DOMException('no answer in time', 'TimeoutError')));
    work.then(resolve, reject);
  });
}

/**
 * Reads an answer's body to its end, or to the most that a receiver may send, and forgets it. Throws when it breaks
 * off before: undici's own `dump` takes that for an end.
 */
async function readAway(body: Readable): Promise<void> {
  // A body that is cut short below reports its own abortion; the loop throws what matters.
  body.on('error', () => undefined);
  let bytes = 0;
  for await (const chunk of body) {
    bytes += Buffer.isBuffer(chunk) ? chunk.length : 0;
    if (bytes > MAXIMUM_ANSWER_BYTES) return;
  }
}

function checkedLookup(resolve: Resolver, allowPrivate: boolean): LookupFunction {
  return (hostname, { all }, callback) => {
    resolve(hostname).then(
      (addresses) => {
        const [first] = addresses;
        const problem = allowPrivate && first !== undefined ? undefined : addressesProblem(addresses);
        if (problem !== undefined) callback(new BlockedAddressError(problem), []);
        else if (all === true || first === undefined) callback(null, [...addresses]);
        else callback(null, first.address, first.family);
      },
      (error: unknown) => callback(error instanceof Error ? error : new Error('lookup failed'), []),
    );
  };
}

function failureOf(error: unknown): OutboundAnswer {
  if (error instanceof BlockedAddressError) return { kind: 'refused_address', reason: error.message };
  if (!(error instanceof Error)) return { kind: 'failed', reason: 'unknown failure' };
  if (error.name.endsWith('TimeoutError')) {
    return { kind: 'failed', reason: 'no answer in time' };
  }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  return { kind: 'failed', reason: `connection failed: ${code}` };
}
