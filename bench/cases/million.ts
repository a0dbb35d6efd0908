import { countSql, pageSql } from '../bare-page.ts';
import type { BenchCase, CaseContext, Result } from '../case.ts';
import { makeOrganization } from '../cast.ts';
import type { Organization } from '../cast.ts';
import { at, openHttp } from '../http-client.ts';
import type { HttpClient } from '../http-client.ts';
import { makeManyShipments } from '../many-shipments.ts';
import type { Crowd } from '../many-shipments.ts';
import { compare, median } from '../rounds.ts';
import type { Side } from '../rounds.ts';

const PAGE_SIZE = 30;
const MANY = 1_000_000;
const FEW = 10_000;

/** A list as a dispatcher asks for it, and the condition and values of its bare SQL. */
interface Listing {
  readonly name: string;
  readonly query: (crowd: Crowd) => string;
  readonly page: number;
  readonly condition: string;
  readonly values: (crowd: Crowd) => readonly unknown[];
  /** Whether its time must not grow with the number of shipments. */
  readonly isSteady: boolean;
  /** Requests in a round. */
  readonly times: number;
}

const LISTINGS: readonly Listing[] = [
  {
    name: 'first page',
    query: () => '',
    page: 1,
    condition: '',
    values: () => [],
    isSteady: true,
    times: 10,
  },
  {
    name: 'page 300',
    query: () => '&page=300',
    page: 300,
    condition: '',
    values: () => [],
    isSteady: false,
    times: 10,
  },
  {
    name: 'by status',
    query: () => '&status=in_transit',
    page: 1,
    condition: 'and status = $4',
    values: () => ['in_transit'],
    isSteady: true,
    times: 10,
  },
  {
    name: 'by merchant and status',
    query: ({ merchantId }) => `&status=delivered&merchant=/api/v1/merchants/${merchantId}`,
    page: 1,
    condition: 'and status = $4 and merchant_id = $5',
    values: ({ merchantId }) => ['delivered', merchantId],
    isSteady: false,
    times: 10,
  },
  {
    name: 'searched',
    query: () => '&search=client%2077',
    page: 1,
    condition: 'and search_text like $4',
    values: () => ['%client 77%'],
    isSteady: false,
    times: 3,
  },
];

/** Lists of an organization with a million shipments, some of them moved since. */
export const million: BenchCase = {
  name: 'million',
  title: 'Lists in an organization with a million shipments, one client',
  run: async (context) => {
    const many = await crowdOf(context, 'MANY', context.isQuick ? FEW : MANY);
    const few = await crowdOf(context, 'FEW', context.isQuick ? FEW / 10 : FEW);
    const http = openHttp(context.deployment.baseUrl, 1);
    try {
      const results: Result[] = [];
      for (const listing of LISTINGS) results.push(...(await measured(context, http, listing, many, few)));
      return results;
    } finally {
      await http.close();
    }
  },
};

type MeasuredCrowd = Crowd & { readonly organization: Organization };

async function crowdOf(context: CaseContext, seed: string, count: number): Promise<MeasuredCrowd> {
  const organization = await makeOrganization(context.deployment);
  const crowd = await makeManyShipments(context.deployment, organization.id, seed, count, (made) =>
    context.say(`  ${made.toLocaleString('en')} of ${count.toLocaleString('en')} shipments made`),
  );
  return { ...crowd, organization };
}

async function measured(
  context: CaseContext,
  http: HttpClient,
  listing: Listing,
  many: MeasuredCrowd,
  few: MeasuredCrowd,
): Promise<Result[]> {
  const totals: number[] = [];
  const ours = sideOf(`${listing.name} through HTTP`, listing.times, async () => {
    totals.push(await list(http, listing, many));
  });
  const bare = sideOf(`${listing.name}, bare SQL with its count`, listing.times, () =>
    bareList(context, listing, many),
  );
  const expected = await bareCount(context, listing, many);
  const against = await compare(ours, bare, context.rounds, context.onRound);
  const faults = totals.every((total) => total === expected)
    ? []
    : [`totalItems is ${totals.find((total) => total !== expected) ?? 0}, counted ${expected}`];
  const results: Result[] = [
    resultOf(`${listing.name} of ${expected.toLocaleString('en')}`, ours, bare, 2, {
      ...against,
      voidBecause: [...against.voidBecause, ...faults],
    }),
  ];
  if (!listing.isSteady) return results;
  const small = sideOf(`${listing.name}, a hundredth of the shipments`, listing.times, async () => {
    await list(http, listing, few);
  });
  const growth = await compare(ours, small, context.rounds, context.onRound);
  return [...results, resultOf(`${listing.name}, growth`, ours, small, 1.5, growth)];
}

function resultOf(
  figure: string,
  ours: Side,
  bare: Side,
  atMost: number,
  comparison: Awaited<ReturnType<typeof compare>>,
): Result {
  return { figure, unit: 'ms', oursName: ours.name, bareName: bare.name, aim: { atMost }, ...comparison };
}

/** A side whose figure is the median time of some requests, one after another. */
function sideOf(name: string, times: number, ask: () => Promise<void>): Side {
  return {
    name,
    run: async () => {
      const spent: number[] = [];
      for (let count = 0; count < times; count += 1) {
        const begin = performance.now();
        await ask();
        spent.push(performance.now() - begin);
      }
      return median(spent);
    },
  };
}

async function list(http: HttpClient, listing: Listing, crowd: MeasuredCrowd): Promise<number> {
  const path = `/shipments?itemsPerPage=${PAGE_SIZE}${listing.query(crowd)}`;
  const { status, body } = await http.send('GET', path, { token: crowd.organization.token });
  const total = at(body, 'totalItems');
  if (status !== 200 || typeof total !== 'number') throw new Error(`${listing.name} was answered ${status}`);
  return total;
}

async function bareList({ deployment }: CaseContext, listing: Listing, crowd: Crowd): Promise<void> {
  const { condition, name } = listing;
  const offset = (listing.page - 1) * PAGE_SIZE;
  const values = [crowd.organizationId, PAGE_SIZE, offset, ...listing.values(crowd)];
  // Both at once on two connections, as the service asks them.
  await Promise.all([
    deployment.pool.query({ name: `${name} page`, text: pageSql(condition), values }),
    deployment.pool.query({ name: `${name} count`, text: countSql(condition), values }),
  ]);
}

async function bareCount({ deployment }: CaseContext, listing: Listing, crowd: Crowd): Promise<number> {
  const values = [crowd.organizationId, PAGE_SIZE, 0, ...listing.values(crowd)];
  const { rows } = await deployment.pool.query<{ total: number }>(countSql(listing.condition), values);
  return Number(rows[0]?.total);
}
