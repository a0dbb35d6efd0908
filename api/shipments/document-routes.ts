import { parseReference } from '../../domain/iri.ts';
import { say } from '../../domain/messages.ts';
import type { Violation } from '../../domain/problem.ts';
import type { ShipmentDocumentRow } from '../../store/shipments/shipment-documents.ts';
import { findShipmentDocuments } from '../../store/shipments/shipment-documents.ts';
import type { LabelData } from '../../documents/document-data.ts';
import { JSON_TYPE, LD_JSON, PDF } from '../http/media-types.ts';
import { integerText } from '../http/pagination.ts';
import type { RouteResponse, RouteRequest } from '../http/route.ts';
import { dashboardRoute } from '../http/route.ts';
import { throwIfInvalid } from '../schema/checked-body.ts';
import { named } from '../schema/schema.ts';
import { defaulted, list, object, required } from '../schema/schema-objects.ts';
import { choice, text } from '../schema/schema-values.ts';
import { shape, string } from '../schema/shapes.ts';
import { trackingUrl } from '../tracking/tracking-token.ts';
import { shipments } from './routes.ts';
import { renderCodes } from '../../documents/codes.ts';
import { deliveryNoteOf, labelsOf } from './document-gathering.ts';

const tag = 'Documents';
const MAXIMUM_NOTES = 100;
const MAXIMUM_LABELS = 200;
const MAXIMUM_PACKAGES = 50;

const note = dashboardRoute({
  operation: 'shipments.deliveryNote',
  method: 'GET',
  path: '/shipments/{id}/delivery-note',
  action: 'shipment.print',
  tag,
  summary: 'Delivery note',
  description: 'An A4 PDF in French or English, by Accept-Language.',
  produces: [PDF],
  answers: { 200: { description: 'The PDF.', contentType: PDF } },
  load: shipments.load,
  handle: async (request) => {
    const rows = await rowsOf(request, [request.item.id]);
    return notesPdf(request, rows, `delivery-note-${request.item.trackingNumber}.pdf`);
  },
});

const notes = dashboardRoute({
  operation: 'shipments.deliveryNotes',
  method: 'POST',
  path: '/shipments/delivery-notes',
  action: 'shipment.print',
  tag,
  summary: 'Delivery notes of several shipments as one PDF',
  description:
    'In the order of the ids. 422 lists each id that is unknown or belongs to another organization. Each id costs one unit of the `document` budget.',
  produces: [PDF],
  acceptsLate: true,
  answers: { 200: { description: 'The PDF.', contentType: PDF } },
  body: named('DeliveryNotesRequest', object({ shipmentIds: idsField(MAXIMUM_NOTES) })),
  handle: async (request) => {
    const { shipmentIds } = request.body;
    await request.charge(shipmentIds.length - 1);
    const rows = await rowsOf(request, shipmentIds);
    request.requireAcceptable();
    return notesPdf(request, rows, 'delivery-notes.pdf');
  },
});

const labelQuery = object(
  {
    format: defaulted(choice(['png', 'svg'] as const, 'Of the images in the JSON response.'), 'png'),
    packages: defaulted(
      integerText({
        min: 1,
        max: MAXIMUM_PACKAGES,
        description: 'Labels of a PDF: one page for each package.',
      }),
      1,
    ),
  },
  { strict: true },
);

const labelAssets = dashboardRoute({
  operation: 'shipments.labelAssets',
  method: 'GET',
  path: '/shipments/{id}/label-assets',
  action: 'shipment.print',
  tag,
  summary: 'QR code and barcode, or the label',
  description:
    'Both codes, QR and Code 128, contain the tracking number. trackingUrl is a page for the recipient, opened without signing in. With Accept: application/pdf, an A6 label is returned.',
  produces: [LD_JSON, JSON_TYPE, PDF],
  isPlain: true,
  answers: {
    200: {
      description: 'Images as data URIs, or a PDF if requested.',
      schema: {
        title: 'LabelAssets',
        ...shape({ trackingNumber: string, qrCode: string, barcode: string, trackingUrl: string }, [
          'trackingNumber',
          'qrCode',
          'barcode',
          'trackingUrl',
        ]),
      },
    },
  },
  query: labelQuery,
  load: shipments.load,
  handle: async (request) => {
    const { contentType, item, query, dependencies } = request;
    if (contentType === PDF) {
      const rows = await rowsOf(request, [item.id]);
      const pages = rows.flatMap((row) => labelsOf(row, query.packages));
      return labelsPdf(request, pages, 'a6', `label-${item.trackingNumber}.pdf`);
    }
    const { trackingNumber } = item;
    const codes = await renderCodes(trackingNumber, query.format);
    return {
      status: 200,
      body: { trackingNumber, ...codes, trackingUrl: trackingUrl(dependencies.config, item) },
    };
  },
});

const labels = dashboardRoute({
  operation: 'shipments.labels',
  method: 'POST',
  path: '/shipments/labels',
  action: 'shipment.print',
  tag,
  summary: 'Labels of several shipments as one PDF',
  description:
    'A6 pages, or four on each A4 sheet, in the order of the ids. 422 lists each id that is unknown or belongs to another organization. Each id costs one unit of the `document` budget.',
  produces: [PDF],
  acceptsLate: true,
  answers: { 200: { description: 'The PDF.', contentType: PDF } },
  body: named(
    'LabelsRequest',
    object({
      shipmentIds: idsField(MAXIMUM_LABELS),
      layout: defaulted(choice(['a6', 'a4'] as const), 'a6'),
    }),
  ),
  handle: async (request) => {
    const { shipmentIds, layout } = request.body;
    await request.charge(shipmentIds.length - 1);
    const rows = await rowsOf(request, shipmentIds);
    request.requireAcceptable();
    return labelsPdf(
      request,
      rows.flatMap((row) => labelsOf(row, 1)),
      layout,
      'labels.pdf',
    );
  },
});

function idsField(max: number) {
  return required(list(text(), { min: 1, max, unique: true }));
}

/** The rows in the order of the ids. Throws a ProblemError that names each that is missing, foreign or not one's own. */
async function rowsOf(
  { actor, permissionScope, scope }: RouteRequest,
  texts: readonly string[],
): Promise<ShipmentDocumentRow[]> {
  const ids = texts.map((text) => parseReference('shipment', text));
  const found = await findShipmentDocuments(
    scope,
    ids.flatMap((id) => id ?? []),
  );
  const visible = found.filter(
    (row) => permissionScope === 'organization' || row.merchantId === actor.merchantId,
  );
  const byId = new Map(visible.map((row) => [row.id, row]));
  throwIfInvalid(
    ids.flatMap((id, index): Violation[] => {
      if (id !== undefined && byId.has(id)) return [];
      const propertyPath = `shipmentIds[${index}]`;
      return [{ propertyPath, ...say('unknown_shipment'), code: 'reference' }];
    }),
  );
  return ids.flatMap((id) => (id === undefined ? [] : (byId.get(id) ?? [])));
}

/** The delivery notes, in the language that the client likes best. */
async function notesPdf(
  { actor, context, dependencies }: RouteRequest,
  rows: readonly ShipmentDocumentRow[],
  fileName: string,
): Promise<RouteResponse> {
  const { documents, clock } = dependencies;
  const locale = context.acceptsLanguages('en', 'fr') === 'fr' ? 'fr' : 'en';
  const notes = rows.map(deliveryNoteOf);
  const options = { locale, createdAt: clock() } as const;
  return pdf(await documents.deliveryNotes(actor.organizationId, notes, options), fileName);
}

async function labelsPdf(
  { actor, dependencies: { documents, clock } }: RouteRequest,
  labels: readonly LabelData[],
  layout: 'a6' | 'a4',
  fileName: string,
): Promise<RouteResponse> {
  const options = { layout, createdAt: clock() };
  return pdf(await documents.labels(actor.organizationId, labels, options), fileName);
}

function pdf(body: Uint8Array, fileName: string): RouteResponse {
  return {
    status: 200,
    contentType: PDF,
    body,
    headers: { 'content-disposition': `inline; filename="${fileName}"` },
  };
}

/** Fixed paths first: `/shipments/labels` is not a shipment. */
export const documentRoutes = [notes, labels, note, labelAssets];
