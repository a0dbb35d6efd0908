import { toId } from '../../../domain/ids.ts';
import { API_PREFIX } from '../../../domain/iri.ts';
import { invalid, Refusal } from '../../../domain/problem.ts';
import {
  createImported,
  findFailedRows,
  findNamedPoints,
  findTimezone,
  keepFailedRows,
} from '../../../store/imports.ts';
import type { CreatedShipment } from '../../../store/create-shipments.ts';
import { judge, tenant } from '../../../store/tenant.ts';
import type { Dependencies } from '../../dependencies.ts';
import { ownOnly, taken } from '../../http/found.ts';
import { JSON_TYPE, LD_JSON, XLSX } from '../../http/media-types.ts';
import type { Answer } from '../../http/route.ts';
import { dashboardRoute, NO_BODY, NO_QUERY, nothing } from '../../http/route.ts';
import { array, oneOf, shape, string, uuid } from '../../http/shapes.ts';
import { uploadBody } from '../../http/upload.ts';
import type { Sheet } from './cell.ts';
import { makeFailedRows } from './failed-rows.ts';
import type { GoodRow, ReadImport } from './read-import.ts';
import { readImport } from './read-import.ts';
import type { Refusal as WorkbookRefusal } from './refusal.ts';
import { REFUSAL_STATUS } from './refusal.ts';
import { formatErrors } from './rows.ts';
import { makeTemplate } from './template.ts';

const tag = 'Import and export';

const importResultJson = {
  title: 'ImportResult',
  ...shape(
    {
      total: { type: 'integer' },
      created: { type: 'integer' },
      failed: { type: 'integer' },
      results: array(
        shape(
          {
            row: { type: 'integer' },
            status: oneOf(['created', 'error']),
            message: string,
            id: uuid,
            trackingNumber: string,
          },
          ['row', 'status', 'message'],
        ),
      ),
      warnings: array(string),
      failedRows: {
        type: 'string',
        description: 'Where the failed rows can be had as a workbook, for a day.',
      },
    },
    ['total', 'created', 'failed', 'results', 'warnings'],
  ),
};

const importShipments = dashboardRoute({
  operation: 'shipments.import',
  method: 'POST',
  path: '/shipments/import',
  action: 'shipment.import',
  tag,
  summary: 'Import shipments from a workbook',
  description:
    'An XLSX of at most 5 MB and 10,000 rows. Good rows are created though others fail, all in one transaction; a row’s message names its columns. 422 or 413 only where the file as a whole cannot be read.',
  consumes: ['multipart/form-data'],
  produces: [JSON_TYPE, LD_JSON],
  isIdempotent: true,
  answers: { 200: { description: 'A result for each row.', schema: importResultJson } },
  body: uploadBody,
  query: NO_QUERY,
  load: nothing,
  handle: async ({ actor, body, dependencies, effectId }) => {
    const { database } = dependencies;
    const scope = tenant(database, actor.organizationId);
    const ownMerchantId = actor.role === 'ROLE_MERCHANT' ? actor.merchantId : null;
    const outcome = await dependencies.workbooks.read(body.bytes);
    if (outcome.kind === 'refused') throw refused(outcome.refusal);
    const read = await readImport(outcome.sheet, {
      importId: effectId,
      timezone: await findTimezone(scope),
      points: await findNamedPoints(scope, ownMerchantId),
      ownMerchantId,
    });
    const created = await createImported(
      database,
      actor.organizationId,
      read.good.map(({ shipment }) => shipment),
    );
    startRuns(dependencies, read.good, created);
    const failedRows = await keptFailures(dependencies, outcome.sheet, read);
    if (failedRows !== null) await keepFailedRows(scope, effectId, actor.userId, failedRows);
    return { status: 200, body: result(read, created, failedRows === null ? null : effectId) };
  },
});

const failedRows = dashboardRoute({
  operation: 'shipments.failedRows',
  method: 'GET',
  path: '/shipments/imports/{id}/failed-rows',
  action: 'shipment.import',
  tag,
  summary: 'The rows of an import that failed, ready to be mended',
  description:
    'Their cells as they were sent, with their messages in a last column that import ignores. For a day.',
  produces: [XLSX],
  answers: { 200: { description: 'The workbook.', contentType: XLSX } },
  body: NO_BODY,
  query: NO_QUERY,
  load: async ({ actor, reach, params, dependencies }) => {
    const scope = tenant(dependencies.database, actor.organizationId);
    const row = await findFailedRows(scope, toId<'import'>(params['id'] ?? ''));
    const kept = taken(judge(scope, row), 'import');
    ownOnly(reach === 'organization' || kept.userId === actor.userId, 'import');
    return kept;
  },
  handle: ({ item }) => Promise.resolve(workbook(item.workbook, 'failed-rows.xlsx')),
});

const template = dashboardRoute({
  operation: 'shipments.importTemplate',
  method: 'GET',
  path: '/shipments/import/template',
  action: 'shipment.import',
  tag,
  summary: 'The import’s template',
  produces: [XLSX],
  answers: {
    200: {
      description: 'A workbook with the columns, an example row and lists to choose from.',
      contentType: XLSX,
    },
  },
  body: NO_BODY,
  query: NO_QUERY,
  load: nothing,
  handle: async ({ dependencies }) =>
    workbook(await makeTemplate(dependencies.clock()), 'import-template.xlsx'),
});

function startRuns(
  { startSoon }: Dependencies,
  good: readonly GoodRow[],
  created: readonly CreatedShipment[],
): void {
  created.forEach((shipment, index) => {
    const request = good[index]?.shipment;
    if (request === undefined) return;
    startSoon({ ...shipment, priority: request.request.priority, status: request.status });
  });
}

async function keptFailures(
  { clock }: Dependencies,
  sheet: Sheet,
  read: ReadImport,
): Promise<Uint8Array | null> {
  return read.failed.length === 0 ? null : makeFailedRows(sheet.headers, read.failed, clock());
}

function result(read: ReadImport, created: readonly CreatedShipment[], failedRowsId: string | null) {
  const good = read.good.map(({ row }, index) => {
    const shipment = created[index];
    const trackingNumber = shipment?.trackingNumber ?? '';
    return {
      row,
      status: 'created',
      message: `Created as ${trackingNumber}.`,
      id: shipment?.id,
      trackingNumber,
    };
  });
  const failed = read.failed.map(({ row, errors }) => ({
    row,
    status: 'error',
    message: formatErrors(errors),
  }));
  return {
    total: good.length + failed.length,
    created: good.length,
    failed: failed.length,
    results: [...good, ...failed].sort((left, right) => left.row - right.row),
    warnings: read.warnings,
    ...(failedRowsId === null
      ? {}
      : { failedRows: `${API_PREFIX}/shipments/imports/${failedRowsId}/failed-rows` }),
  };
}

function refused({ kind, message }: WorkbookRefusal): Refusal {
  return REFUSAL_STATUS[kind] === 413
    ? new Refusal({ kind: 'too_large', detail: message })
    : new Refusal(invalid('file', message, 'format'));
}

function workbook(body: Uint8Array, fileName: string): Answer {
  return {
    status: 200,
    contentType: XLSX,
    body,
    headers: { 'content-disposition': `attachment; filename="${fileName}"` },
  };
}

/** Fixed paths come before `/shipments/{id}`. */
export const importRoutes = [importShipments, template, failedRows];
