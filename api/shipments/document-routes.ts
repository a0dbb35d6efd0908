import { parseReference } from '../../domain/iri.ts';
import type { ShipmentId } from '../../domain/ids.ts';
import type { Violation } from '../../domain/problem.ts';
import { ProblemError } from '../../domain/problem.ts';
import type { ShipmentDocumentRow } from '../../store/shipments/shipment-documents.ts';
import { findShipmentDocuments } from '../../store/shipments/shipment-documents.ts';
import { tenant } from '../../store/tenant.ts';
import { JSON_TYPE, LD_JSON, negotiate, PDF } from '../http/media-types.ts';
import { integerText } from '../http/pagination.ts';
import type { RouteResponse, RouteRequest, UserActor } from '../http/route.ts';
import { dashboardRoute, NO_BODY, NO_QUERY, nothing } from '../http/route.ts';
import { named } from '../schema/schema.ts';
import { defaulted, list, object, required } from '../schema/schema-objects.ts';
import { choice, text } from '../schema/schema-values.ts';
import { shape, string } from '../schema/shapes.ts';
import { loadShipment } from './routes.ts';
import { renderCodes } from '../../documents/codes.ts';
import { deliveryNoteOf, labelsOf } from './document-gathering.ts';

const tag = 'Documents';
const MAXIMUM_NOTES = 100;
const MAXIMUM_LABELS = 200;
const MAXIMUM_PACKAGES = 50;

type Asked = Pick<
  RouteRequest<UserActor, unknown, unknown, unknown>,
  'actor' | 'permissionScope' | 'dependencies'
>;

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
  body: NO_BODY,
  query: NO_QUERY,
  load: loadShipment,
  handle: async ({ actor, permissionScope, item, raw, dependencies }) => {
    const [row] = await rowsOf({ actor, permissionScope, dependencies }, [{ id: item.id, path: '' }]);
    if (row === undefined) throw new ProblemError({ kind: 'missing', detail: 'There is no such shipment.' });
    const locale = raw.bestLanguage('en', 'fr');
    const bytes = await dependencies.documents.deliveryNotes(actor.organizationId, [deliveryNoteOf(row)], {
      locale,
      createdAt: dependencies.clock(),
    });
    return pdf(bytes, `delivery-note-${row.trackingNumber}.pdf`);
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
  answers: { 200: { description: 'The PDF.', contentType: PDF } },
  body: idsBody('DeliveryNotesRequest', MAXIMUM_NOTES),
  query: NO_QUERY,
  load: nothing,
  handle: async ({ actor, permissionScope, body, raw, dependencies, charge }) => {
    await charge(body.shipmentIds.length - 1);
    const rows = await rowsOf({ actor, permissionScope, dependencies }, namedIds(body.shipmentIds));
    const locale = raw.bestLanguage('en', 'fr');
    return pdf(
      await dependencies.documents.deliveryNotes(actor.organizationId, rows.map(deliveryNoteOf), {
        locale,
        createdAt: dependencies.clock(),
      }),
      'delivery-notes.pdf',
    );
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
    'Both codes, QR and Code 128, contain the tracking number. With Accept: application/pdf, an A6 label is returned.',
  produces: [JSON_TYPE, LD_JSON, PDF],
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
  body: NO_BODY,
  query: labelQuery,
  load: loadShipment,
  handle: async ({ actor, permissionScope, item, query, raw, dependencies }) => {
    if (negotiate(raw.headers['accept'], [JSON_TYPE, LD_JSON, PDF]) === PDF) {
      const rows = await rowsOf({ actor, permissionScope, dependencies }, [{ id: item.id, path: '' }]);
      const labels = rows.flatMap((row) => labelsOf(row, query.packages));
      const bytes = await dependencies.documents.labels(actor.organizationId, labels, {
        layout: 'a6',
        createdAt: dependencies.clock(),
      });
      return pdf(bytes, `label-${item.trackingNumber}.pdf`);
    }
    const { trackingNumber } = item;
    const codes = await renderCodes(trackingNumber, query.format);
    return {
      status: 200,
      body: { trackingNumber, ...codes, trackingUrl: trackingUrl(dependencies, trackingNumber) },
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
  answers: { 200: { description: 'The PDF.', contentType: PDF } },
  body: named(
    'LabelsRequest',
    object({
      shipmentIds: required(list(text(), { min: 1, max: MAXIMUM_LABELS, unique: true })),
      layout: defaulted(choice(['a6', 'a4'] as const), 'a6'),
    }),
  ),
  query: NO_QUERY,
  load: nothing,
  handle: async ({ actor, permissionScope, body, dependencies, charge }) => {
    await charge(body.shipmentIds.length - 1);
    const rows = await rowsOf({ actor, permissionScope, dependencies }, namedIds(body.shipmentIds));
    const bytes = await dependencies.documents.labels(
      actor.organizationId,
      rows.flatMap((row) => labelsOf(row, 1)),
      { layout: body.layout, createdAt: dependencies.clock() },
    );
    return pdf(bytes, 'labels.pdf');
  },
});

function idsBody(title: string, max: number) {
  return named(title, object({ shipmentIds: required(list(text(), { min: 1, max, unique: true })) }));
}

interface NamedId {
  readonly id: ShipmentId | undefined;
  readonly path: string;
}

function namedIds(ids: readonly string[]): NamedId[] {
  return ids.map((id, index) => ({ id: parseReference('shipment', id), path: `shipmentIds[${index}]` }));
}

/** The rows in the order of the ids. Throws a ProblemError that names each that is missing, foreign or not one's own. */
async function rowsOf(
  { actor, permissionScope, dependencies }: Asked,
  asked: readonly NamedId[],
): Promise<ShipmentDocumentRow[]> {
  const ids = asked.flatMap(({ id }) => id ?? []);
  const found = await findShipmentDocuments(tenant(dependencies.database, actor.organizationId), ids);
  const visible = found.filter(
    (row) => permissionScope === 'organization' || row.merchantId === actor.merchantId,
  );
  const byId = new Map(visible.map((row) => [row.id, row]));
  const missing = asked.filter(({ id }) => id === undefined || !byId.has(id));
  if (missing.length > 0) {
    const violations = missing.map(({ path }): Violation => ({
      propertyPath: path,
      message: 'There is no such shipment.',
      code: 'reference',
    }));
    throw new ProblemError({ kind: 'invalid', violations });
  }
  return asked.flatMap(({ id }) => (id === undefined ? [] : (byId.get(id) ?? [])));
}

function trackingUrl({ config }: Asked['dependencies'], trackingNumber: string): string {
  const template =
    config.trackingUrlTemplate ?? `${config.publicUrl}/api/v1/shipments?trackingNumber={trackingNumber}`;
  return template.replaceAll('{trackingNumber}', encodeURIComponent(trackingNumber));
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
