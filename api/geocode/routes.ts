import type { Said } from '../../domain/messages.ts';
import { say } from '../../domain/messages.ts';
import { ProblemError, stated } from '../../domain/problem.ts';
import type { FoundPlace } from '../../platform/geocoder-forms.ts';
import type { Geocoder } from '../../platform/geocoder.ts';
import { GeocoderError } from '../../platform/geocoder.ts';
import { decimalText } from '../http/pagination.ts';
import type { RouteRequest, RouteResponse } from '../http/route.ts';
import { dashboardRoute } from '../http/route.ts';
import { object, required } from '../schema/schema-objects.ts';
import { text } from '../schema/schema-values.ts';
import { array, shape, string } from '../schema/shapes.ts';

/** Retry-After where no geocoder is set: only the operator changes that. */
const NOT_SET_RETRY_SECONDS = 3_600;

const resultJson = {
  title: 'GeocodeResult',
  ...shape({
    results: array(shape({ label: string, latitude: { type: 'number' }, longitude: { type: 'number' } })),
  }),
};

const ANSWERS = { 200: { description: 'The places, the best first; at most five.', schema: resultJson } };
const NOTE =
  'Asks the geocoder that the operator has set (GEOCODER_URL); 503 where none is set, or where it does not answer.';

const search = dashboardRoute({
  operation: 'geocode.search',
  method: 'GET',
  path: '/geocode',
  action: 'place.geocode',
  summary: 'Find the place of an address',
  description: NOTE,
  isPlain: true,
  answers: ANSWERS,
  query: object({ q: required(text({ description: 'The address, as people write it.' })) }, { strict: true }),
  handle: (request) => answer(request, (geocoder, language) => geocoder.search(request.query.q, language)),
});

const reverse = dashboardRoute({
  operation: 'geocode.reverse',
  method: 'GET',
  path: '/geocode/reverse',
  action: 'place.geocode',
  summary: 'Find the address of a place',
  description: NOTE,
  isPlain: true,
  answers: ANSWERS,
  query: object(
    {
      latitude: required(decimalText({ min: -90, max: 90, description: 'Degrees north.' })),
      longitude: required(decimalText({ min: -180, max: 180, description: 'Degrees east.' })),
    },
    { strict: true },
  ),
  handle: (request) => answer(request, (geocoder, language) => geocoder.reverse(request.query, language)),
});

async function answer(
  { context, dependencies }: RouteRequest,
  ask: (geocoder: Geocoder, language: string | null) => Promise<readonly FoundPlace[]>,
): Promise<RouteResponse> {
  const { geocoder, log } = dependencies;
  if (geocoder === null) {
    throw unavailable(say('geocoder_not_set'), NOT_SET_RETRY_SECONDS);
  }
  try {
    const language = context.headers['accept-language'] ?? null;
    return { status: 200, body: { results: await ask(geocoder, language) } };
  } catch (error) {
    if (!(error instanceof GeocoderError)) throw error;
    log.warn({ reason: error.message }, 'the geocoder gave no answer; the caller will retry');
    throw unavailable(say('geocoder_unavailable'), error.retryAfterSeconds);
  }
}

function unavailable(said: Said, retryAfterSeconds: number): ProblemError {
  return new ProblemError({ kind: 'unavailable', ...stated(said), retryAfterSeconds });
}

export const geocodeRoutes = [search, reverse];
