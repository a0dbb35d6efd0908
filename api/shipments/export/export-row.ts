import type { ExportedShipmentRow } from '../../../store/shipments/shipment-export.ts';
import { formatAmount } from '../../../domain/money.ts';
import { COLUMNS } from '../import/columns.ts';
import { AMOUNT_FORMAT, formatOf, TEXT_FORMAT, widthOf } from '../import/sheet-style.ts';
import type { WrittenColumn } from '../import/sheet-style.ts';

/** A shipment to export: what the service added to it, and the names of merchant and driver, for people. */
export interface ExportRow extends Pick<
  ExportedShipmentRow,
  | 'trackingNumber'
  | 'status'
  | 'createdAt'
  | 'deliveryDeadline'
  | 'deliveryFeeCents'
  | 'totalCodToCollectCents'
  | 'currency'
  | 'merchantName'
  | 'driverName'
> {
  /** The fields of the body of `POST /shipments`, nested as there, as the API shows them. */
  readonly shipment: Readonly<Record<string, unknown>>;
}

/** A column of the export. Text is what people wrote and could be taken for a formula; numbers are made by the service. */
export interface ExportColumn extends WrittenColumn {
  readonly format: string;
  /** The cell as text; empty for nothing. */
  readonly read: (row: ExportRow) => string;
}

/** What the service adds to the columns of the import, which leaves these alone but for the merchant, without a warning. */
export const ADDED_COLUMNS: readonly ExportColumn[] = [
  added('tracking_number', (row) => row.trackingNumber),
  added('status', (row) => row.status),
  added('created_at', (row) => row.createdAt.toISOString()),
  added('delivery_deadline', (row) => row.deliveryDeadline?.toISOString() ?? ''),
  added('delivery_fee', (row) => formatAmount(row.deliveryFeeCents), AMOUNT_FORMAT),
  added('total_cod_to_collect', (row) => formatAmount(row.totalCodToCollectCents), AMOUNT_FORMAT),
  added('currency', (row) => row.currency),
  added('merchant', (row) => row.merchantName ?? ''),
  added('driver', (row) => row.driverName ?? ''),
];

/** The columns of the import in their order, then what the service added: the merchant among it, by its name. */
export const EXPORT_COLUMNS: readonly ExportColumn[] = [
  ...COLUMNS.filter(({ kind }) => kind !== 'merchant').map((column) => ({
    header: column.header,
    width: widthOf(column),
    format: formatOf(column.kind),
    column,
    read: ({ shipment }: ExportRow) => textOf(valueAt(shipment, column.path)),
  })),
  ...ADDED_COLUMNS,
];

function added(header: string, read: ExportColumn['read'], format: string = TEXT_FORMAT): ExportColumn {
  return { header, width: 24, format, read };
}

function valueAt(record: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, key) => {
    const isRecord = typeof value === 'object' && value !== null && Object.hasOwn(value, key);
    return isRecord ? Reflect.get(value, key) : undefined;
  }, record);
}

/** Lists as import takes them apart again; what is not a text, number or list of them has no cell. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  return Array.isArray(value) ? value.map(textOf).join(';') : '';
}
