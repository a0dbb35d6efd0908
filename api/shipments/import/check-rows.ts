import { hash } from 'node:crypto';
import type { MerchantId, PickupPointId, ShipmentId } from '../../../domain/ids.ts';
import { toId } from '../../../domain/ids.ts';
import { iriOf } from '../../../domain/iri.ts';
import type { NewShipment } from '../../../domain/shipment.ts';
import type { NamedPoint } from '../../../store/shipments/imports.ts';
import type { Parsed } from '../../schema/validate.ts';
import { parseWith } from '../../schema/validate.ts';
import type { ShipmentBody } from '../fields.ts';
import { shipment } from '../fields.ts';
import { newShipment } from '../parse.ts';
import type { Sheet, SheetRow } from '../../../spreadsheet/cell.ts';
import type { FailedRow } from './failed-rows.ts';
import { describeViolations, rowReader } from './rows.ts';

/** A row that can be created, and the row it stood in. */
export interface GoodRow {
  readonly row: number;
  readonly shipment: NewShipment;
}

/** What an import's rows are checked against. */
export interface ImportContext {
  readonly importId: string;
  /** IANA name, of the organization. */
  readonly timezone: string;
  readonly points: readonly NamedPoint[];
  /** The merchant whose rows alone these are; null for the organization's own. */
  readonly ownMerchantId: MerchantId | null;
  /** Written into the workbook of failed rows as the time of its making. */
  readonly now: Date;
}

/** Some rows of a sheet, checked. */
export interface CheckedRows {
  readonly good: readonly GoodRow[];
  readonly failed: readonly FailedRow[];
}

/** Rows that are handed on together: the API's event loop needs a few milliseconds for them. */
const ROWS_PER_PART = 100;

/**
 * Checks a sheet's rows by the same rules as a JSON body, in parts. A row's shipment takes its id from the import's and
 * its row number, so that an import which is repeated after a crash finds what it made.
 */
export function* checkRows({ headers, rows }: Sheet, context: ImportContext): Generator<CheckedRows> {
  const check = rowChecker(headers, context);
  for (let from = 0; from < rows.length; from += ROWS_PER_PART) {
    const checked = rows.slice(from, from + ROWS_PER_PART).map(check);
    yield {
      good: checked.filter((row) => 'shipment' in row),
      failed: checked.filter((row) => 'errors' in row),
    };
  }
}

function rowChecker(
  headers: Sheet['headers'],
  context: ImportContext,
): (row: SheetRow) => GoodRow | FailedRow {
  const findPoint = pointFinder(context.points);
  const merchantOfPoint = new Map(context.points.map(({ id, merchantId }) => [id, merchantId]));
  const read = rowReader(headers, {
    timezone: context.timezone,
    findPickupPoint: (text) => {
      const point = findPoint(text);
      return point === undefined ? undefined : iriOf('pickup_point', point.id);
    },
  });
  return (source) => {
    const row = read(source);
    const parsed = checked(parseWith(shipment.body, row.body), merchantOfPoint);
    if (parsed.kind === 'invalid' || row.errors.length > 0) {
      const violations = parsed.kind === 'invalid' ? parsed.violations : [];
      return { source, errors: describeViolations(row, violations) };
    }
    const { pickupPoint } = parsed.value;
    const pointMerchant = pickupPoint === null ? null : merchantOfPoint.get(pickupPoint);
    return {
      row: row.row,
      shipment: newShipment(parsed.value, {
        id: importedId(context.importId, row.row),
        source: 'import',
        merchantId: context.ownMerchantId ?? pointMerchant ?? null,
        isMerchantUser: context.ownMerchantId !== null,
      }),
    };
  };
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
  const violations = [{ propertyPath: 'pickupPoint', message, code: 'reference' }] as const;
  return { kind: 'invalid', violations, valid: parsed.value };
}

/** Finds a point by its code, else by its name where only one has it; letter case does not count. */
function pointFinder(points: readonly NamedPoint[]): (text: string) => NamedPoint | undefined {
  const byCode = new Map(points.map((point) => [point.code?.toLowerCase(), point]));
  const byName = new Map<string, NamedPoint[]>();
  for (const point of points) {
    const name = point.name.toLowerCase();
    byName.set(name, [...(byName.get(name) ?? []), point]);
  }
  return (text) => {
    const named = byName.get(text.toLowerCase()) ?? [];
    return byCode.get(text.toLowerCase()) ?? (named.length === 1 ? named[0] : undefined);
  };
}

/** A UUID of version 8 (RFC 9562 section 5.8) out of the import's id and the row's number. */
function importedId(importId: string, row: number): ShipmentId {
  const hex = hash('sha256', `${importId} ${row}`);
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return toId<'shipment'>(
    `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`,
  );
}
