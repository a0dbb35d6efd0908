import { PassThrough } from 'node:stream';
import type { ExportedShipmentRow } from '../../../store/shipments/shipment-export.ts';
import { exportShipments } from '../../../store/shipments/shipment-export.ts';
import { recordAct } from '../../http/audited.ts';
import { requestIdOf } from '../../http/errors.ts';
import { CSV, XLSX } from '../../http/media-types.ts';
import { orderOf } from '../../http/pagination.ts';
import { dashboardRoute } from '../../http/route.ts';
import { shipmentFilterOf, shipmentExportQuery } from '../parse.ts';
import { shipment } from '../fields.ts';
import { exportShipmentsCsv } from './csv.ts';
import type { ExportRow } from './export-row.ts';
import { exportShipmentsXlsx } from './xlsx.ts';

const exportRoute = dashboardRoute({
  operation: 'shipments.export',
  method: 'GET',
  path: '/shipments/export',
  action: 'shipment.export',
  tag: 'Import and export',
  summary: 'Export shipments as a workbook or as CSV',
  description:
    'Accepts the filters and order of the list, without pages. XLSX by default, CSV with Accept: text/csv. An export can be imported again; in CSV, an apostrophe precedes text that a spreadsheet program would evaluate as a formula.',
  produces: [XLSX, CSV],
  answers: { 200: { description: 'The file, streamed.' } },
  query: shipmentExportQuery,
  handle: async (request) => {
    const { actor, contentType, context, permissionScope, query, scope, dependencies } = request;
    await recordAct(request, { kind: 'shipments.exported' });
    const rows = exportRows(
      exportShipments(
        scope,
        shipmentFilterOf(query, permissionScope === 'own' ? actor.merchantId : null),
        orderOf(query),
      ),
    );
    const output = new PassThrough();
    const writing =
      contentType === CSV
        ? exportShipmentsCsv(rows, output)
        : exportShipmentsXlsx(rows, output, dependencies.clock());
    writing.catch((error: unknown) => {
      // The answer has begun: it ends early, which the client sees as a broken file.
      const reason = error instanceof Error ? error.name : 'unknown';
      dependencies.log.warn({ requestId: requestIdOf(context), reason }, 'export aborted');
      output.destroy();
    });
    const fileName = contentType === CSV ? 'shipments.csv' : 'shipments.xlsx';
    return {
      status: 200,
      contentType: contentType === CSV ? `${CSV}; charset=utf-8` : XLSX,
      body: output,
      headers: { 'content-disposition': `attachment; filename="${fileName}"` },
    };
  },
});

async function* exportRows(rows: AsyncIterable<ExportedShipmentRow>): AsyncGenerator<ExportRow> {
  for await (const row of rows) {
    yield { ...row, shipment: shipment.present({ ...row, tasks: [], timeline: [], trackingUrl: null }) };
  }
}

export const exportRoutes = [exportRoute];
