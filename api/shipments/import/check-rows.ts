import { hash } from 'node:crypto';
import type { MerchantId, ShipmentId } from '../../../domain/ids.ts';
import { toId } from '../../../domain/ids.ts';
import type { RowViolation } from '../../../domain/import-record.ts';
import { iriOf } from '../../../domain/iri.ts';
import type { NewShipment } from '../../../domain/shipment.ts';
import type { Violation } from '../../../domain/problem.ts';
import type { NamedMerchant, NamedPoint } from '../../../store/shipments/imports.ts';
import { unknownReference } from '../../schema/checked-body.ts';
import { parseWith } from '../../schema/validate.ts';
import type { ShipmentBody } from '../fields.ts';
import { shipment } from '../fields.ts';
import { newShipment } from '../parse.ts';
import type { Sheet, SheetRow } from '../../../spreadsheet/cell.ts';
import type { FailedRow } from './failed-rows.ts';
import { describeViolations, rowReader } from './rows.ts';
import type { ReadRow } from './rows.ts';

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
  /** Those that rows may name; a merchant's own rows name none. */
  readonly merchants: readonly NamedMerchant[];
  /** The merchant whose user imports, whatever the rows name; null for staff. */
  readonly ownMerchantId: MerchantId | null;
  /** The merchant of staff's rows that name none; null for that of the pickup point. */
  readonly defaultMerchantId: MerchantId | null;
  /** Written into the workbook of failed rows as the time of its making. */
  readonly now: Date;
}

/** Some rows of a sheet, checked. */
export interface CheckedRows {
  readonly good: readonly GoodRow[];
  readonly failed: readonly FailedRow[];
}

/** A row with what it comes to: a body that can be created, or what is wrong with it. */
export interface CheckedRow {
  readonly read: ReadRow;
  readonly result:
    | { readonly kind: 'good'; readonly body: ShipmentBody }
    | { readonly kind: 'failed'; readonly errors: readonly RowViolation[] };
}

/** Rows that are handed on together: the API's event loop needs a few milliseconds for them. */
const ROWS_PER_PART = 100;

/**
 * Checks a sheet's rows by the same rules as a JSON body, in parts. A row's shipment takes its id from the import's and
 * its row number, so that an import which is repeated after a crash finds what it made.
 */
export function* checkRows({ headers, rows }: Sheet, context: ImportContext): Generator<CheckedRows> {
  const check = rowChecker(headers, context);
  const outcomeOf = (source: SheetRow) => importedRow(check(source), context);
  for (let from = 0; from < rows.length; from += ROWS_PER_PART) {
    const checked = rows.slice(from, from + ROWS_PER_PART).map(outcomeOf);
    yield {
      good: checked.filter((row) => 'shipment' in row),
      failed: checked.filter((row) => 'errors' in row),
    };
  }
}

/** Makes a checker of rows under these headers, by the rules of `POST /shipments`. */
export function rowChecker(headers: Sheet['headers'], context: ImportContext): (row: SheetRow) => CheckedRow {
  const { timezone, points, merchants, ownMerchantId, defaultMerchantId } = context;
  const findPoint = pointFinder(points, ownMerchantId ?? defaultMerchantId);
  const merchantsByName = byName(merchants);
  const read = rowReader(headers, {
    timezone,
    findPickupPoint: (text) => {
      const point = findPoint(text);
      return point === undefined ? undefined : iriOf('pickup_point', point.id);
    },
    findMerchant: (text) => {
      const id = ownMerchantId ?? onlyOne(merchantsByName.get(keyOf(text)))?.id;
      return id === undefined ? undefined : iriOf('merchant', id);
    },
  });
  const violationsOf = referenceChecker(context);
  return (source) => {
    const row = read(source);
    const parsed = parseWith(shipment.body, row.body);
    const violations = parsed.kind === 'invalid' ? parsed.violations : violationsOf(parsed.value);
    if (parsed.kind === 'invalid' || row.errors.length > 0 || violations.length > 0) {
      return { read: row, result: { kind: 'failed', errors: describeViolations(row, violations) } };
    }
    return { read: row, result: { kind: 'good', body: parsed.value } };
  };
}

function importedRow({ read, result }: CheckedRow, context: ImportContext): GoodRow | FailedRow {
  if (result.kind === 'failed') return { source: read.source, errors: result.errors };
  const { importId, ownMerchantId, defaultMerchantId } = context;
  return {
    row: read.row,
    shipment: newShipment(result.body, {
      id: importedId(importId, read.row),
      source: 'import',
      merchantId: ownMerchantId ?? result.body.merchant ?? defaultMerchantId,
      isMerchantUser: ownMerchantId !== null,
    }),
  };
}

/** A cell may name a record by its id, which the caller's organization, or the merchant, may not have. */
function referenceChecker(context: ImportContext): (body: ShipmentBody) => readonly Violation[] {
  const points = new Set(context.points.map(({ id }) => id));
  const merchants = new Set(context.merchants.map(({ id }) => id));
  return ({ pickupPoint, merchant }) => {
    const isMerchantKnown =
      merchant === null || merchant === context.ownMerchantId || merchants.has(merchant);
    return [
      ...(pickupPoint === null || points.has(pickupPoint)
        ? []
        : [unknownReference('pickupPoint', 'pickup point')]),
      ...(isMerchantKnown ? [] : [unknownReference('merchant', 'merchant')]),
    ];
  };
}

/**
 * Finds a point by its code, else by its name where only one has it: only one of the merchant's own, where a merchant is
 * given, else only one of all.
 */
function pointFinder(
  points: readonly NamedPoint[],
  merchantId: MerchantId | null,
): (text: string) => NamedPoint | undefined {
  const byCode = new Map(points.map((point) => [point.code?.toLowerCase(), point]));
  const own = byName(points.filter((point) => merchantId !== null && point.merchantId === merchantId));
  const all = byName(points);
  return (text) => {
    const key = keyOf(text);
    return byCode.get(key) ?? onlyOne(own.get(key)) ?? onlyOne(all.get(key));
  };
}

/** Records by the form in which names are compared: letter case and the composition of accents do not count. */
function byName<Item extends { readonly name: string }>(
  items: readonly Item[],
): ReadonlyMap<string, readonly Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item.name));
    if (group === undefined) groups.set(keyOf(item.name), [item]);
    else group.push(item);
  }
  return groups;
}

function keyOf(name: string): string {
  return name.trim().normalize('NFC').toLowerCase();
}

function onlyOne<Item>(items: readonly Item[] = []): Item | undefined {
  return items.length === 1 ? items[0] : undefined;
}

/** A UUID of version 8 (RFC 9562 section 5.8) out of the import's id and the row's number. */
function importedId(importId: string, row: number): ShipmentId {
  const hex = hash('sha256', `${importId} ${row}`);
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return toId<'shipment'>(
    `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`,
  );
}
