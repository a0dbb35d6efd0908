import { REQUEST_LIMITS } from '../../../domain/request-limits.ts';
import type { BenchCase, CaseContext, Measurement } from '../../case.ts';
import { makeOrganization } from '../../cast.ts';
import type { HttpClient } from '../../http-client.ts';
import { openHttp } from '../../http-client.ts';
import { startOwnApi } from '../../own-api.ts';
import { show } from '../../report.ts';

const AIM_MS = 50;
const BODY_BYTES = 100_000;
const QUERY_BYTES = 6_000;
/** Each body is sent so often in a round; the slowest counts. */
const TIMES = 5;

/** Bodies and query strings up to the limit, each with as many faults as fit: for how long they hold the event loop. */
export const bodies: BenchCase = {
  name: 'neighbour-bodies',
  title: 'The event loop under bodies and query strings with as many faults as fit',
  run: async (context) => {
    const organization = await makeOrganization(context.deployment);
    const api = await startOwnApi(context.deployment);
    const http = openHttp(api.baseUrl, 1);
    try {
      return await measure(context, http, api.heldMs, requests(organization.apiKey));
    } finally {
      await http.close();
      await api.stop();
    }
  },
};

interface FaultyRequest {
  readonly name: string;
  readonly path: string;
  readonly key?: string;
  readonly body?: string;
}

/** By a stranger and by a shop, for a schema with few members and one with many. */
function requests(key: string): readonly FaultyRequest[] {
  const unknownMembers = objectOf((index) => `"u${index}":${index}`);
  const items = `{"items":[${fill(BODY_BYTES - 100, (index) => `{"n":${index}}`)}]}`;
  const nested = `{"items":[${fill(BODY_BYTES - 100, () => '[[[[]]]]')}]}`;
  const texts = `{"notes":"${'\\u0000'.repeat(16_000)}"}`;
  return [
    { name: 'login, unknown members', path: '/login_check', body: unknownMembers },
    { name: 'login, nested arrays', path: '/login_check', body: nested },
    { name: 'creation, unknown members', path: '/external/shipments', key, body: unknownMembers },
    { name: 'creation, items', path: '/external/shipments', key, body: items },
    { name: 'creation, nested arrays', path: '/external/shipments', key, body: nested },
    { name: 'creation, control characters', path: '/external/shipments', key, body: texts },
    {
      name: 'list, query string',
      path: `/shipments?${fill(QUERY_BYTES, (index) => `q${index}=`, '&')}`,
    },
  ];
}

function objectOf(member: (index: number) => string): string {
  return `{${fill(BODY_BYTES - 10, member)}}`;
}

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

async function measure(
  { rounds, isQuick, onRound }: CaseContext,
  http: HttpClient,
  heldMs: () => Promise<number>,
  faulty: readonly FaultyRequest[],
): Promise<readonly Measurement[]> {
  const held = new Map<string, number[]>(faulty.map(({ name }) => [name, []]));
  for (let round = 0; round <= rounds; round += 1) {
    for (const request of faulty) {
      await heldMs();
      for (let time = 0; time < (isQuick ? 1 : TIMES); time += 1) await refused(http, request);
      const ms = await heldMs();
      // The first round warms up.
      if (round > 0) held.get(request.name)?.push(ms);
      onRound({ name: request.name, run: () => Promise.resolve(ms) }, round, ms);
    }
  }
  return [...held].map(([name, ms]) => ({
    figure: `the event loop held by ${name}`,
    unit: 'ms',
    aim: { atMost: AIM_MS },
    rounds: ms,
    remarks: [`at most ${show(Math.max(...ms))} ms; a body has at most ${REQUEST_LIMITS.bodyValues} values`],
    voidBecause: [],
  }));
}

async function refused(http: HttpClient, { name, path, key, body }: FaultyRequest): Promise<void> {
  const sent = { ...(key === undefined ? {} : { key }), ...(body === undefined ? {} : { body }) };
  const { status } = await http.send(body === undefined ? 'GET' : 'POST', path, sent);
  if (status < 400 || status >= 500) throw new Error(`${name} was answered ${status}`);
}
