import ExcelJS from 'exceljs';
import type pg from 'pg';
import { newId } from '../../store/new-id.ts';
import type { BenchCase, CaseContext, Result } from '../case.ts';
import type { Organization } from '../cast.ts';
import { makeOrganization, untilAllRun } from '../cast.ts';
import { at, openHttp, textAt } from '../http-client.ts';
import { startOwnApi } from '../own-api.ts';
import { show } from '../report.ts';
import { compare } from '../rounds.ts';
import { makeWorkbook, workbookRequest } from '../workbook.ts';

const ROWS = 10_000;
const WARM_UP_ROWS = 20;
const ROWS_PER_STATEMENT = 500;
const MOST_HELD_MS = 50;

/**
 * An import's answer against a bare exceljs load with a bare bulk insert of the same rows, and how long the
 * API's event loop was held meanwhile.
 */
export const importing: BenchCase = {
  name: 'import',
  title: 'Import of a workbook against parsing it and bulk-inserting its rows bare',
  run: async (context) => {
    const rows = context.isQuick ? 500 : ROWS;
    const workbook = await makeWorkbook(rows);
    const organization = await makeOrganization(context.deployment);
    const heldMs: number[] = [];
    const ours = {
      name: `import of ${rows} rows through HTTP`,
      run: async () => {
        const round = await importOnce(context, organization, workbook, rows);
        heldMs.push(round.heldMs);
        return round.tookMs;
      },
    };
    const bareOrganization = await makeOrganization(context.deployment);
    const bare = {
      name: 'exceljs and a bulk insert of the shipments alone',
      run: () => bareImport(context, bareOrganization, workbook),
    };
    const comparison = await compare(ours, bare, context.rounds, context.onRound);
    return [
      resultOf(
        ours.name,
        bare.name,
        comparison,
        heldMs.slice(1),
        await lostRows(context, organization, rows),
      ),
    ];
  },
};

function resultOf(
  oursName: string,
  bareName: string,
  comparison: Awaited<ReturnType<typeof compare>>,
  heldMs: readonly number[],
  faults: readonly string[],
): Result {
  const most = Math.max(...heldMs);
  return {
    figure: 'import answered in',
    unit: 'ms',
    oursName,
    bareName,
    aim: { atMost: 2 },
    remarks: [
      `the API's event loop was held for at most ${show(most)} ms (rounds ${heldMs.map(show).join(' ')}), aim at most ${MOST_HELD_MS} ms: ${most <= MOST_HELD_MS ? 'met' : 'NOT MET'}`,
    ],
    ...comparison,
    voidBecause: [...comparison.voidBecause, ...faults],
  };
}

/** One import by an API process of its own: ten thousand starts that follow the answer would weigh on the next round. */
async function importOnce(
  { deployment }: CaseContext,
  organization: Organization,
  workbook: Uint8Array,
  rows: number,
): Promise<{ readonly tookMs: number; readonly heldMs: number }> {
  const api = await startOwnApi(deployment);
  const http = openHttp(api.baseUrl, 1);
  try {
    const small = await makeWorkbook(WARM_UP_ROWS);
    const request = (file: Uint8Array) => ({ token: organization.token, ...workbookRequest(file) });
    const { body: warm } = await http.send('POST', '/shipments/import', request(small));
    // The first start of a process compiles the client's messages, which is not the import's to answer for.
    await untilAllRun(deployment, warmedIds(warm));
    await api.heldMs();
    const begin = performance.now();
    const { status, body } = await http.send('POST', '/shipments/import', request(workbook));
    const tookMs = performance.now() - begin;
    const heldMs = await api.heldMs();
    if (status !== 200 || at(body, 'created') !== rows)
      throw new Error(`an import was answered ${status}: ${JSON.stringify(body).slice(0, 300)}`);
    return { tookMs, heldMs };
  } finally {
    await http.close();
    await api.stop();
    // Nobody starts the rest of the runs now, and the relay is not to.
    await deployment.pool.query(
      'update shipments set workflow_started_at = clock_timestamp() where organization_id = $1 and workflow_started_at is null',
      [organization.id],
    );
  }
}

function warmedIds(body: unknown): string[] {
  return Array.from({ length: WARM_UP_ROWS }, (_, index) => textAt(body, `results.${index}.id`));
}

async function bareImport(
  { deployment }: CaseContext,
  { id }: Organization,
  file: Uint8Array,
): Promise<number> {
  const begin = performance.now();
  const workbook = new ExcelJS.Workbook();
  await workbook.xlsx.load(new Uint8Array(file).buffer);
  const sheet = workbook.worksheets[0];
  if (sheet === undefined) throw new Error('the workbook has no sheet');
  const rows: Record<string, unknown>[] = [];
  const headers = cellsOf(sheet.getRow(1));
  sheet.eachRow((row, number) => {
    if (number === 1) return;
    const cells = cellsOf(row);
    const named = Object.fromEntries(headers.map((header, index) => [String(header), cells[index]]));
    rows.push({ id: newId<'shipment'>(), ...named });
  });
  const client = await deployment.pool.connect();
  try {
    await insertBare(client, id, rows);
  } finally {
    client.release();
  }
  return performance.now() - begin;
}

function cellsOf(row: ExcelJS.Row): unknown[] {
  return Array.isArray(row.values) ? row.values.slice(1) : [];
}

async function insertBare(
  client: pg.PoolClient,
  organizationId: string,
  rows: readonly Record<string, unknown>[],
): Promise<void> {
  await client.query('begin');
  for (let start = 0; start < rows.length; start += ROWS_PER_STATEMENT) {
    await client.query({
      name: 'bare_import',
      text: BARE_INSERT_SQL,
      values: [JSON.stringify(rows.slice(start, start + ROWS_PER_STATEMENT)), organizationId],
    });
  }
  await client.query('commit');
}

const BARE_INSERT_SQL = `with given as (
    select id, 'BARE-' || id as number, recipient_first_name, recipient_last_name, recipient_phone, address_street,
      address_city, external_reference, notes
    from jsonb_to_recordset($1::jsonb) as g (id uuid, recipient_first_name text, recipient_last_name text, recipient_phone text,
      address_street text, address_city text, external_reference text, notes text)
  ), reserved as (insert into tracking_numbers (tracking_number) select number from given)
  insert into shipments (id, organization_id, tracking_number, source, status, priority, package_size, currency, cod_amount_cents,
    delivery_fee_cents, total_cod_to_collect_cents, fee_breakdown, fee_payer, recipient, external_reference, notes, workflow_started_at)
  select id, $2, number, 'import', 'pending', 'normal', 'medium', 'EUR', 0, 0, 0, '[]', 'recipient',
    jsonb_build_object('firstName', recipient_first_name, 'lastName', recipient_last_name, 'phoneNumber', recipient_phone,
      'address', jsonb_build_object('street', address_street, 'city', address_city)), external_reference, notes, clock_timestamp()
  from given`;

/** Each import made as many shipments as it said, whole ones. */
async function lostRows({ deployment }: CaseContext, { id }: Organization, rows: number): Promise<string[]> {
  const { rows: counted } = await deployment.pool.query<{ total: number; whole: number }>(
    `select count(*)::int as total,
       count(*) filter (where exists (select from tasks t where t.shipment_id = s.id)
         and exists (select from timeline_entries e where e.shipment_id = s.id))::int as whole
     from shipments s where organization_id = $1 and external_reference = 'ORDER-' || $2`,
    [id, String(rows)],
  );
  const { total = 0, whole = 0 } = counted[0] ?? {};
  const last = total > 0 && total === whole;
  return last ? [] : [`${whole} of ${total} imports have their last row whole`];
}
