import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { MerchantId, PickupPointId, ShipmentId } from '../../../domain/ids.ts';
import { toId } from '../../../domain/ids.ts';
import { iriOf, parseReference } from '../../../domain/iri.ts';
import type { NewShipment } from '../../../domain/shipment.ts';
import { initialShipmentStatus } from '../../../domain/task-plan.ts';
import type { NamedPoint } from '../../../store/imports.ts';
import type { Parsed } from '../../http/validate.ts';
import { parseWith } from '../../http/validate.ts';
import { parcelOf, shipmentBody } from '../parse.ts';
import type { ShipmentBody } from '../parse.ts';
import type { Sheet } from './cell.ts';
import type { FailedRow } from './failed-rows.ts';
import { describeViolations, readRows } from './rows.ts';

/** A row that can be created, and the row it stood in. */
export interface GoodRow {
  readonly row: number;
  readonly shipment: NewShipment;
}

/** What an import comes to before anything is written. */
export interface ReadImport {
  readonly good: readonly GoodRow[];
  readonly failed: readonly (FailedRow & { readonly row: number })[];
  readonly warnings: readonly string[];
}

/** Rows that are checked before other requests get their turn: a few milliseconds. */
const ROWS_PER_TURN = 20;

/**
 * Reads a sheet's rows by the same rules as a JSON body. A row's shipment takes its id from the import's and its row
 * number, so that an import which is repeated after a crash finds what it made.
 */
export async function readImport(
  sheet: Sheet,
  context: {
    readonly importId: string;
    readonly timezone: string;
    readonly points: readonly NamedPoint[];
    readonly ownMerchantId: MerchantId | null;
  },
): Promise<ReadImport> {
  const findPoint = pointFinder(context.points);
  const merchantOfPoint = new Map(context.points.map(({ id, merchantId }) => [id, merchantId]));
  const { rows, warnings } = await readRows(sheet, {
    timezone: context.timezone,
    findPickupPoint: (text) => {
      const point = findPoint(text);
      return point === undefined ? undefined : iriOf('pickup_point', point.id);
    },
  });
  const good: GoodRow[] = [];
  const failed: (FailedRow & { readonly row: number })[] = [];
  for (const [index, row] of rows.entries()) {
    if (index % ROWS_PER_TURN === ROWS_PER_TURN - 1) await nextTurn();
    const parsed = checked(parseWith(shipmentBody, row.body), merchantOfPoint);
    if (parsed.kind === 'valid' && row.errors.length === 0) {
      const { pickupPoint } = parsed.value;
      const pointMerchant = pickupPoint === null ? null : merchantOfPoint.get(pickupPoint);
      const merchantId = context.ownMerchantId ?? pointMerchant ?? null;
      const id = importedId(context.importId, row.row);
      good.push({
        row: row.row,
        shipment: newShipment(id, parsed.value, merchantId, context.ownMerchantId !== null),
      });
    } else {
      const violations = parsed.kind === 'invalid' ? parsed.violations : [];
      failed.push({ row: row.row, source: row.source, errors: describeViolations(row, violations) });
    }
  }
  return { good, failed, warnings: [...sheet.warnings, ...warnings] };
}

/** A cell may name a point by its id, which the caller's organization, or the merchant, may not have. */
function checked(
  parsed: Parsed<ShipmentBody>,
  points: ReadonlyMap<PickupPointId, MerchantId | null>,
): Parsed<ShipmentBody> {
  if (
    parsed.kind === 'invalid' ||
    parsed.value.pickupPoint === null ||
    points.has(parsed.value.pickupPoint)
  ) {
    return parsed;
  }
  const message = 'There is no such pickup point in your organization.';
  return { kind: 'invalid', violations: [{ propertyPath: 'pickupPoint', message, code: 'reference' }] };
}

function newShipment(
  id: ShipmentId,
  body: ShipmentBody,
  merchantId: MerchantId | null,
  byMerchant: boolean,
): NewShipment {
  return {
    id,
    trackingNumber: null,
    source: 'import',
    status: initialShipmentStatus('import', byMerchant),
    request: {
      ...parcelOf(body),
      recipient: body.recipient,
      merchantId,
      pickupPointId: body.pickupPoint,
      pickupAddress: null,
    },
  };
}

/** Finds a point by IRI or id, else by its code, else by its name where only one has it; letter case does not count. */
function pointFinder(points: readonly NamedPoint[]): (text: string) => NamedPoint | undefined {
  const byId = new Map(points.map((point) => [point.id, point]));
  const byCode = new Map(points.map((point) => [point.code?.toLowerCase(), point]));
  const byName = new Map<string, NamedPoint[]>();
  for (const point of points) {
    const name = point.name.toLowerCase();
    byName.set(name, [...(byName.get(name) ?? []), point]);
  }
  return (text) => {
    const id = parseReference('pickup_point', text);
    if (id !== undefined) return byId.get(id);
    const named = byName.get(text.toLowerCase()) ?? [];
    return byCode.get(text.toLowerCase()) ?? (named.length === 1 ? named[0] : undefined);
  };
}

/** A UUID of version 8 (RFC 9562 section 5.8) out of the import's id and the row's number. */
function importedId(importId: string, row: number): ShipmentId {
  const hex = createHash('sha256').update(`${importId} ${row}`).digest('hex');
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return toId<'shipment'>(
    `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`,
  );
}
