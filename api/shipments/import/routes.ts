import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Id } from '../../../domain/ids.ts';
import { API_PREFIX } from '../../../domain/iri.ts';
import { invalid, ProblemError } from '../../../domain/problem.ts';
import type { MadeRow } from '../../../store/shipments/imports.ts';
import {
  createImported,
  findFailedRows,
  findNamedMerchants,
  findNamedPoints,
  findTimezone,
  storeFailedRows,
} from '../../../store/shipments/imports.ts';
import { checkTenant } from '../../../store/tenant.ts';
import { XLSX } from '../../http/media-types.ts';
import type { RouteResponse } from '../../http/route.ts';
import { dashboardRoute } from '../../http/route.ts';
import { loaderOf } from '../../resource/resource.ts';
import { array, oneOf, shape, string, uuid } from '../../schema/shapes.ts';
import { uploadOf } from '../../http/upload.ts';
import { optional } from '../../schema/schema-objects.ts';
import { reference } from '../../schema/schema-values.ts';
import { ownMerchantOf, referenceViolations } from '../references.ts';
import type { ImportEnd } from './import-process.ts';
import type { WorkbookProblem } from '../../../spreadsheet/workbook-error.ts';
import { isTooLarge, WorkbookError } from '../../../spreadsheet/workbook-error.ts';
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
        description: 'Where to download the failed rows as a workbook, for one day.',
      },
    },
    ['total', 'created', 'failed', 'results', 'warnings'],
  ),
};

const importBody = uploadOf({
  merchant: optional(
    reference('merchant', {
      bare: true,
      description:
        'The merchant of the rows that name none: its IRI or id. For a merchant’s user, always its own merchant.',
    }),
  ),
});

const importShipments = dashboardRoute({
  operation: 'shipments.import',
  method: 'POST',
  path: '/shipments/import',
  action: 'shipment.import',
  tag,
  summary: 'Import shipments from a workbook',
  description:
    'An XLSX file of at most 5 MB and 10,000 rows. Valid rows are created even when others fail, all in one transaction; the message of a failed row names its columns. A dispatcher can import for a merchant: by the column merchant, or by the form’s field for all rows whose cell is empty. Without a header row, or when the file as a whole cannot be read: 422 or 413.',
  consumes: ['multipart/form-data'],
  isIdempotent: true,
  isPlain: true,
  answers: { 200: { description: 'A result for each row.', schema: importResultJson } },
  body: importBody,
  check: ({ actor, scope }, { merchant = null }) =>
    referenceViolations(scope, { merchant }, ownMerchantOf(actor)),
  handle: async ({ actor, body, scope, dependencies, effectId }) => {
    const ownMerchantId = ownMerchantOf(actor);
    const context = {
      importId: effectId,
      timezone: await findTimezone(scope),
      points: await findNamedPoints(scope, ownMerchantId),
      merchants: ownMerchantId === null ? await findNamedMerchants(scope) : [],
      ownMerchantId,
      defaultMerchantId: body.merchant,
      now: dependencies.clock(),
    };
    const reading = dependencies.workbooks.read(body.file, context, actor.organizationId);
    try {
      const made = await createImported(dependencies.database, actor.organizationId, reading.good);
      const end = await reading.end;
      dependencies.workflowStarts.enqueue(made);
      if (end.failedRows !== null) await storeFailedRows(scope, effectId, actor.userId, end.failedRows);
      // Other requests get their turn: ten thousand rows take some milliseconds here and again as JSON.
      const answer = result(effectId, made, end);
      await nextTurn();
      return { status: 200, body: answer };
    } catch (error) {
      throw error instanceof WorkbookError ? problemErrorOf(error.problem) : error;
    }
  },
});

const loadFailedRows = loaderOf({
  one: 'import',
  find: async (scope, id: Id<'import'>) => checkTenant(scope, await findFailedRows(scope, id)),
  isOwn: (actor, { userId }) => userId === actor.userId,
});

const failedRows = dashboardRoute({
  operation: 'shipments.failedRows',
  method: 'GET',
  path: '/shipments/imports/{id}/failed-rows',
  action: 'shipment.import',
  tag,
  summary: 'The failed rows of an import, ready to be corrected',
  description:
    'The cells as they were sent, with the error messages in a last column that the import ignores. Available for one day.',
  produces: [XLSX],
  answers: { 200: { description: 'The workbook.', contentType: XLSX } },
  load: loadFailedRows,
  handle: ({ item }) => workbook(item.workbook, 'failed-rows.xlsx'),
});

const template = dashboardRoute({
  operation: 'shipments.importTemplate',
  method: 'GET',
  path: '/shipments/import/template',
  action: 'shipment.import',
  tag,
  summary: 'The import template',
  produces: [XLSX],
  answers: {
    200: {
      description: 'A workbook with the columns, an example row and lists to choose from.',
      contentType: XLSX,
    },
  },
  handle: async ({ dependencies }) =>
    workbook(await makeTemplate(dependencies.clock()), 'import-template.xlsx'),
});

function result(
  importId: string,
  made: readonly MadeRow[],
  { failed, failedRows: workbookOfFailedRows, warnings }: ImportEnd,
) {
  const created = made.map(({ row, id, trackingNumber }) => ({
    row,
    status: 'created',
    message: `Created as ${trackingNumber}.`,
    id,
    trackingNumber,
  }));
  return {
    total: made.length + failed.length,
    created: made.length,
    failed: failed.length,
    results: [...created, ...failed.map(({ row, message }) => ({ row, status: 'error', message }))].sort(
      (left, right) => left.row - right.row,
    ),
    warnings,
    ...(workbookOfFailedRows === null
      ? {}
      : { failedRows: `${API_PREFIX}/shipments/imports/${importId}/failed-rows` }),
  };
}

function problemErrorOf(problem: WorkbookProblem): ProblemError {
  const { message } = problem;
  return new ProblemError(
    isTooLarge(problem) ? { kind: 'too_large', detail: message } : invalid('file', message, 'format'),
  );
}

function workbook(body: Uint8Array, fileName: string): RouteResponse {
  return {
    status: 200,
    contentType: XLSX,
    body,
    headers: { 'content-disposition': `attachment; filename="${fileName}"` },
  };
}

/** Fixed paths come before `/shipments/{id}`. */
export const importRoutes = [importShipments, template, failedRows];
