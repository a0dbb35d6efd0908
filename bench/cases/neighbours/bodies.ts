import type { BenchCase } from '../../case.ts';
import { makeTeam } from '../../cast.ts';
import { startOwnApi } from '../../own-api.ts';

const BODY_BYTES = 100_000;
const QUERY_BYTES = 6_000;
/** Each body is sent so often in a round; the slowest counts. */
const TIMES = 5;

interface FaultyRequest {
  readonly path: string;
  readonly isSigned?: true;
  readonly body?: string;
}

const UNKNOWN_MEMBERS = `{${fill(BODY_BYTES - 10, (index) => `"u${index}":${index}`)}}`;
const ITEMS = `{"items":[${fill(BODY_BYTES - 100, (index) => `{"n":${index}}`)}]}`;
const NESTED = `{"items":[${fill(BODY_BYTES - 100, () => '[[[[]]]]')}]}`;
const CONTROL_CHARACTERS = `{"notes":"${'\\u0000'.repeat(16_000)}"}`;
const QUERY = fill(QUERY_BYTES, (index) => `q${index}=`, '&');

/** By a stranger and by a shop, for a schema with few members and one with many. */
const REQUESTS: Readonly<Record<string, FaultyRequest>> = {
  'login, unknown members': { path: '/login_check', body: UNKNOWN_MEMBERS },
  'login, nested arrays': { path: '/login_check', body: NESTED },
  'creation, unknown members': { path: '/external/shipments', isSigned: true, body: UNKNOWN_MEMBERS },
  'creation, items': { path: '/external/shipments', isSigned: true, body: ITEMS },
  'creation, nested arrays': { path: '/external/shipments', isSigned: true, body: NESTED },
  'creation, control characters': { path: '/external/shipments', isSigned: true, body: CONTROL_CHARACTERS },
  'list, query string': { path: `/shipments?${QUERY}` },
};

/** Bodies and query strings up to the limit, each with as many faults as fit: for how long they hold the event loop. */
export const bodies: BenchCase = {
  name: 'neighbour-bodies',
  title: 'The event loop under bodies and query strings with as many faults as fit',
  figures: Object.keys(REQUESTS).map((name) => ({
    of: `${name}, CPU time at a stretch`,
    unit: 'ms',
    aim: { atMost: 50 },
    also: [`${name}, by the clock`],
  })),
  open: async (context) => {
    const { organization } = await makeTeam(context.deployment);
    const api = await startOwnApi(context);
    const http = context.http({ baseUrl: api.baseUrl, connections: 1 });
    const side = async () => {
      const numbers: [string, number][] = [];
      for (const [name, { path, isSigned, body }] of Object.entries(REQUESTS)) {
        await api.held();
        for (let time = 0; time < (context.isQuick ? 1 : TIMES); time += 1) {
          const { status } = await http.send(body === undefined ? 'GET' : 'POST', path, {
            ...(body === undefined ? {} : { body }),
            ...(isSigned === true ? { key: organization.apiKey } : {}),
          });
          if (status < 400 || status >= 500) throw new Error(`${name} was answered ${status}`);
        }
        const { cpuMs, clockMs } = await api.held();
        numbers.push([`${name}, CPU time at a stretch`, cpuMs], [`${name}, by the clock`, clockMs]);
      }
      return Object.fromEntries(numbers);
    };
    return { sides: [side] };
  },
};

/** So many parts that their text stays below a length. */
function fill(lengthBytes: number, part: (index: number) => string, separator = ','): string {
  const parts: string[] = [];
  let length = 0;
  for (let index = 0; ; index += 1) {
    const next = part(index);
    length += next.length + separator.length;
    if (length > lengthBytes) return parts.join(separator);
    parts.push(next);
  }
}
