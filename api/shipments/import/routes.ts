import type { Id } from '../../../domain/ids.ts';
import { findFailedRows } from '../../../store/shipments/imports.ts';
import { checkTenant } from '../../../store/tenant.ts';
import { XLSX } from '../../http/media-types.ts';
import { booleanText } from '../../http/pagination.ts';
import type { RouteResponse } from '../../http/route.ts';
import { dashboardRoute } from '../../http/route.ts';
import { loaderOf } from '../../resource/resource.ts';
import { array, oneOf, shape, string, uuid } from '../../schema/shapes.ts';
import { uploadOf } from '../../http/upload.ts';
import { defaulted, object, optional } from '../../schema/schema-objects.ts';
import { reference } from '../../schema/schema-values.ts';
import { columnSentencesJson, rowViolationsJson, warningMessagesJson } from '../../imports/fields.ts';
import { ownMerchantOf, referenceViolations } from '../references.ts';
import { importFile, previewFile } from './import-file.ts';
import { PREVIEW_ROWS } from './preview.ts';
import { makeTemplate } from './template.ts';

const tag = 'Import and export';

const byColumn = { type: 'object', additionalProperties: string };
const previewRow = shape(
  {
    row: { type: 'integer' },
    values: byColumn,
    errors: byColumn,
    warnings: byColumn,
    violations: columnSentencesJson,
    warningMessages: columnSentencesJson,
  },
  ['row', 'values', 'errors', 'warnings'],
);
const previewColumn = shape({ header: string, column: string }, ['header']);

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
            violations: rowViolationsJson,
            id: uuid,
            trackingNumber: string,
          },
          ['row', 'status', 'message'],
        ),
      ),
      warnings: array(string),
      warningMessages: warningMessagesJson,
      failedRows: {
        type: 'string',
        description: 'Where to download the failed rows as a workbook, for one day.',
      },
      valid: { type: 'integer', description: 'Of a preview: rows that an import would create.' },
      invalid: { type: 'integer', description: 'Of a preview: rows that would fail.' },
      rows: {
        ...array(previewRow),
        description: `Of a preview: the first ${PREVIEW_ROWS} rows as they are understood, their parts by the name of the column. An error of the row as a whole is called row.`,
      },
      columns: {
        ...array(previewColumn),
        description: 'Of a preview: the headers of the sheet, each with the column that it means.',
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
    'An XLSX file of at most 5 MB and 10,000 rows. Valid rows are created even when others fail, all in one transaction; the message of a failed row names its columns. A dispatcher can import for a merchant: by the column merchant, or by the form’s field for all rows whose cell is empty. Without a header row, or when the file as a whole cannot be read: 422 or 413. The import continues when the connection is closed; GET /imports shows its progress and its result. With preview=1 the file is only checked: nothing is created, results has the rows that would fail, and valid, invalid, rows and columns are there too.',
  consumes: ['multipart/form-data'],
  isIdempotent: true,
  isPlain: true,
  answers: { 200: { description: 'A result for each row.', schema: importResultJson } },
  query: object(
    { preview: defaulted(booleanText('Check the file and create nothing.'), false) },
    { strict: true },
  ),
  body: importBody,
  check: ({ actor, scope }, { merchant = null }) =>
    referenceViolations(scope, { merchant }, ownMerchantOf(actor)),
  handle: async (request) => ({
    status: 200,
    body: request.query.preview ? await previewFile(request) : await importFile(request),
  }),
});

const loadFailedRows = loaderOf({
  one: 'import',
  find: async (scope, id: Id<'import'>) => checkTenant(scope, await findFailedRows(scope, id)),
  isOwn: (actor, { userId, merchantId }) =>
    userId === actor.userId || (merchantId !== null && merchantId === actor.merchantId),
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
