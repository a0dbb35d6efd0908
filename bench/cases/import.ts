import ExcelJS from 'exceljs';
import { newId } from '../../store/new-id.ts';
import { openHttp } from '../../test/harness/http.ts';
import type { TeamWithDriver } from '../../test/harness/make.ts';
import type { BenchCase, CaseContext } from '../case.ts';
import { makeTeam } from '../cast.ts';
import { startOwnApi } from '../own-api.ts';
import { timed } from '../pace.ts';
import type { Numbers } from '../rounds.ts';
import { broken, rowsOf, untilAllRun } from '../rows.ts';
import { importWorkbook, makeWorkbook, type MadeWorkbook } from '../workbook.ts';

const ROWS = 10_000;
const WARM_UP_ROWS = 20;
const ROWS_PER_STATEMENT = 500;
const SERVICE = 'import through HTTP';
const BARE = 'exceljs and a bulk insert of the shipments alone';

/**
 * An import's answer against a bare exceljs load with a bare bulk insert of the same rows, and how long the API's event
 * loop was held meanwhile.
 */
export const importing: BenchCase = {
  name: 'import',
  title: `Import of ${ROWS} rows against parsing the workbook and inserting its rows bare`,
  figures: [
    { of: SERVICE, unit: 'ms', through: BARE, aim: { atMost: 2 } },
    {
      of: 'event loop held, CPU time',
      unit: 'ms',
      aim: { atMost: 50 },
      also: ['event loop held, by the clock'],
    },
  ],
  open: async (context) => {
    const { deployment, isQuick } = context;
    const workbook = await makeWorkbook(isQuick ? 500 : ROWS);
    const team = await makeTeam(deployment);
    const bareTeam = await makeTeam(deployment);
    return {
      sides: [
        () => importOnce(context, team, workbook),
        async () => ({ [BARE]: await timed(() => bareImport(context, bareTeam, workbook)) }),
      ],
      check: () =>
        broken(deployment, 'imports have their last row whole', WHOLE_SQL, [
          team.organization.id,
          workbook.rows,
        ]),
    };
  },
};

/** One import by an API process of its own: ten thousand starts that follow the answer would weigh on the next round. */
async function importOnce(
  context: CaseContext,
  team: TeamWithDriver,
  workbook: MadeWorkbook,
): Promise<Numbers> {
  const { deployment } = context;
  const { id } = team.organization;
  const api = await startOwnApi(context);
  const http = openHttp(api.baseUrl, { connections: 1 });
  try {
    await importWorkbook(http, team, await makeWorkbook(WARM_UP_ROWS));
    // The first start of a process compiles the client's messages, which is not the import's to answer for.
    await untilAllRun(deployment, id);
    await api.held();
    const tookMs = await timed(() => importWorkbook(http, team, workbook));
    const held = await api.held();
    return {
      [SERVICE]: tookMs,
      'event loop held, CPU time': held.cpuMs,
      'event loop held, by the clock': held.clockMs,
    };
  } finally {
    await http.close();
    await api.stop();
    // No process starts the rest of the runs now, and the reconciler is not to.
    const sql =
      'update shipments set workflow_started_at = now() where organization_id = $1 and workflow_started_at is null';
    await rowsOf(deployment, sql, [id]);
  }
}

async function bareImport(
  { deployment }: CaseContext,
  { organization }: TeamWithDriver,
  { file }: MadeWorkbook,
): Promise<void> {
  const workbook = new ExcelJS.Workbook();
  await workbook.xlsx.load(new Uint8Array(file).buffer);
  const [header, ...lines] = workbook.worksheets[0]?.getSheetValues().slice(1) ?? [];
  const rows = lines.map((cells) => ({
    id: newId<'shipment'>(),
    ...Object.fromEntries(valuesOf(header).map((name, index) => [String(name), valuesOf(cells)[index]])),
  }));
  const client = await deployment.pool.connect();
  try {
    await client.query('begin');
    for (let start = 0; start < rows.length; start += ROWS_PER_STATEMENT) {
      const values = [JSON.stringify(rows.slice(start, start + ROWS_PER_STATEMENT)), organization.id];
      await client.query({ name: 'bare_import', text: BARE_INSERT_SQL, values });
    }
    await client.query('commit');
  } finally {
    client.release();
  }
}

/** exceljs counts cells from 1. */
function valuesOf(row: unknown): readonly unknown[] {
  return Array.isArray(row) ? row.slice(1) : [];
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

const WHOLE_SQL = `select count(*) as total,
    count(*) filter (where exists (select from tasks t where t.shipment_id = s.id)
      and exists (select from timeline_entries e where e.shipment_id = s.id)) as right
  from shipments s where organization_id = $1 and external_reference = 'ORDER-' || $2::int`;
