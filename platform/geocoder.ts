import { Agent } from 'undici';
import type { FoundPlace, GeocoderForm, Point } from './geocoder-forms.ts';
import { geocoderFormOf } from './geocoder-forms.ts';
import { inTime } from './outbound-client.ts';

/** Thrown when a geocoder gave no answer that can be used. */
export class GeocoderError extends Error {
  /** When to ask again. */
  readonly retryAfterSeconds: number;

  constructor(reason: string, retryAfterSeconds = RETRY_SECONDS) {
    super(reason);
    this.name = 'GeocoderError';
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Finds places by their address and addresses by their place, at a service that the operator chose (decision 0033). */
export interface Geocoder {
  /** The places that fit a text, the best first. `language` is what a browser sends as Accept-Language. Throws a GeocoderError. */
  readonly search: (text: string, language: string | null) => Promise<readonly FoundPlace[]>;
  /** What is at a point, or near it. Throws a GeocoderError. */
  readonly reverse: (point: Point, language: string | null) => Promise<readonly FoundPlace[]>;
  readonly close: () => Promise<void>;
}

const MAX_PLACES = 5;
/** For connecting and the whole answer: somebody waits with a hand on the map. */
const TIMEOUT_MS = 5_000;
const MAX_ANSWER_BYTES = 262_144;
/** Requests under way; further ones wait within their time. */
const CONNECTIONS = 8;
const RETRY_SECONDS = 10;
const MAX_RETRY_SECONDS = 3_600;
/** Nominatim rejects requests without a user agent. */
const USER_AGENT = 'shipment-delivery-service';
const LANGUAGE = /^[\w,;=.*\- ]{1,200}$/;

/**
 * A client of the geocoder whose search is at this address, in Photon's form (`…/api`) or Nominatim's (`…/search`). The address is
 * the operator's own and may be private. Redirects are not followed, so that no answer leads anywhere else.
 */
export function createGeocoder(searchUrl: string): Geocoder {
  const form = geocoderFormOf(searchUrl);
  if (form === undefined) throw new Error('the address of the geocoder has no known form');
  const agent = new Agent({
    connections: CONNECTIONS,
    connect: { timeout: TIMEOUT_MS },
    headersTimeout: TIMEOUT_MS,
    bodyTimeout: TIMEOUT_MS,
    maxResponseSize: MAX_ANSWER_BYTES,
  });
  const ask = async (url: URL, language: string | null): Promise<readonly FoundPlace[]> => {
    const ending = AbortSignal.timeout(TIMEOUT_MS);
    const isLanguage = language !== null && LANGUAGE.test(language);
    const exchange = async (): Promise<unknown> => {
      const answer = await agent.request({
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        method: 'GET',
        headers: {
          accept: 'application/json',
          'user-agent': USER_AGENT,
          ...(isLanguage ? { 'accept-language': language } : {}),
        },
        signal: ending,
      });
      const { statusCode, headers, body } = answer;
      if (statusCode === 200) return body.json();
      await body.dump();
      throw new GeocoderError(`status ${statusCode}`, retrySecondsOf(headers['retry-after']));
    };
    return placesOf(form, await inTime(exchange(), ending).catch(rethrow));
  };
  return {
    search: (text, language) =>
      ask(withQuery(new URL(searchUrl), form.searchQuery(text, MAX_PLACES)), language),
    reverse: (point, language) => {
      const url = new URL(searchUrl);
      url.pathname = url.pathname.replace(/[^/]+\/?$/, 'reverse');
      return ask(withQuery(url, form.reverseQuery(point)), language);
    },
    close: () => agent.destroy(),
  };
}

/** What the operator's address has in its query stays: a key, countries, a bounding box. */
function withQuery(url: URL, query: Readonly<Record<string, string>>): URL {
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url;
}

function placesOf({ placesIn }: GeocoderForm, answer: unknown): readonly FoundPlace[] {
  const places = placesIn(answer);
  if (places === undefined) throw new GeocoderError('an answer of another form');
  return places.slice(0, MAX_PLACES);
}

function retrySecondsOf(header: string | readonly string[] | undefined): number {
  const seconds = typeof header === 'string' && /^\d{1,9}$/.test(header) ? Number(header) : RETRY_SECONDS;
  return Math.min(Math.max(1, seconds), MAX_RETRY_SECONDS);
}

/** The cause is told by its name alone: the address in the message may hold what was asked. */
function rethrow(error: unknown): never {
  if (error instanceof GeocoderError) throw error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
  throw new GeocoderError(code ?? (error instanceof Error ? error.name : 'unknown'));
}
