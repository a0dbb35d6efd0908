import { at } from '../../test/harness/json.ts';
import { countSql, pageSql } from '../bare-page.ts';
import type { BenchCase, CaseContext } from '../case.ts';
import { makeTeam } from '../cast.ts';
import { makeManyShipments, type Crowd } from '../many-shipments.ts';
import { timesOf } from '../pace.ts';
import { median, type Numbers } from '../rounds.ts';
import { rowsOf } from '../rows.ts';

const PAGE_SIZE = 30;
const MANY = 1_000_000;
const FEW = 10_000;
const REQUESTS_IN_A_ROUND = 7;

/** A list as a dispatcher asks for it, and the condition and values of its bare SQL. */
interface Listing {
  readonly name: string;
  readonly query: (crowd: Crowd) => string;
  readonly condition: string;
  readonly values: (crowd: Crowd) => readonly unknown[];
  /** A steady one's time must not grow with the number of shipments; another's is compared with its bare SQL. */
  readonly isSteady: boolean;
}

const LISTINGS: readonly Listing[] = [
  { name: 'first page', query: () => '', condition: '', values: () => [], isSteady: true },
  { name: 'page 300', query: () => '&page=300', condition: '', values: () => [], isSteady: true },
  {
    name: 'by status',
    query: () => '&status=in_transit',
    condition: 'and status = $4',
    values: () => ['in_transit'],
    isSteady: true,
  },
  {
    name: 'by merchant and status',
    query: ({ merchantId }) => `&status=delivered&merchant=/api/v1/merchants/${merchantId}`,
    condition: 'and status = $4 and merchant_id = $5',
    values: ({ merchantId }) => ['delivered', merchantId],
    isSteady: false,
  },
  {
    name: 'searched',
    query: () => '&search=client%2077',
    condition: 'and search_text like $4',
    values: () => ['%client 77%'],
    isSteady: false,
  },
];

function oursOf({ name }: Listing): string {
  return `${name}, the service`;
}

function otherOf({ name, isSteady }: Listing): string {
  return `${name}, ${isSteady ? 'a hundredth of the shipments' : 'bare SQL with its count'}`;
}

/** Lists of an organization with a million shipments, some of them moved since. */
export const million: BenchCase = {
  name: 'million',
  title: 'Lists in an organization with a million shipments, one client',
  figures: LISTINGS.map((listing) => ({
    of: oursOf(listing),
    unit: 'ms',
    through: otherOf(listing),
    aim: { atMost: listing.isSteady ? 1.5 : 2 },
  })),
  open: async (context) => {
    const { deployment, isQuick } = context;
    const http = context.http({ connections: 1 });
    const many = await makeCrowd(context, 'MANY', isQuick ? FEW : MANY);
    const few = await makeCrowd(context, 'FEW', isQuick ? FEW / 10 : FEW);
    const ask = async (listing: Listing, crowd: SignedCrowd): Promise<unknown> => {
      const path = `/shipments?itemsPerPage=${PAGE_SIZE}${listing.query(crowd)}`;
      const { status, body } = await http.send('GET', path, { token: crowd.token });
      if (status !== 200) throw new Error(`${listing.name} was answered ${status}`);
      return at(body, 'totalItems');
    };
    // Both together, on two connections.
    const askBare = (listing: Listing) =>
      Promise.all([
        deployment.pool.query({ name: `${listing.name} page`, ...bareQuery(pageSql, listing, many) }),
        deployment.pool.query({ name: `${listing.name} count`, ...bareQuery(countSql, listing, many) }),
      ]);
    const askOther = (listing: Listing) => (listing.isSteady ? ask(listing, few) : askBare(listing));
    return {
      sides: [
        () => medianTimes(oursOf, (listing) => ask(listing, many)),
        () => medianTimes(otherOf, askOther),
      ],
      check: async () => {
        const faults: string[] = [];
        for (const listing of LISTINGS) {
          const { text, values } = bareQuery(countSql, listing, many);
          const [row] = await rowsOf<{ readonly total: string }>(deployment, text, values);
          const reported = await ask(listing, many);
          if (reported !== Number(row?.total))
            faults.push(`${listing.name}: totalItems is ${String(reported)}, counted ${row?.total ?? 0}`);
        }
        return faults;
      },
    };
  },
};

type SignedCrowd = Crowd & { readonly token: string };

async function makeCrowd(
  { deployment, say }: CaseContext,
  seed: string,
  count: number,
): Promise<SignedCrowd> {
  const { organization, token } = await makeTeam(deployment);
  say(`  making ${count.toLocaleString('en')} shipments`);
  return { token, ...(await makeManyShipments(deployment, organization.id, seed, count)) };
}

function bareQuery(sqlOf: (condition?: string) => string, { condition, values }: Listing, crowd: Crowd) {
  return { text: sqlOf(condition), values: [crowd.organizationId, PAGE_SIZE, 0, ...values(crowd)] };
}

/** The median time of some requests for each listing, one after another, in ms. */
async function medianTimes(
  nameOf: (listing: Listing) => string,
  ask: (listing: Listing) => Promise<unknown>,
): Promise<Numbers> {
  const numbers: [string, number][] = [];
  for (const listing of LISTINGS) {
    const times = await timesOf(REQUESTS_IN_A_ROUND, () => ask(listing));
    numbers.push([nameOf(listing), median(times)]);
  }
  return Object.fromEntries(numbers);
}
