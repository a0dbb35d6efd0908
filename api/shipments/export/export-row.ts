import { COLUMNS } from '../import/columns.ts';

/** A shipment to export. */
export interface ExportRow {
  /** The fields of the body of `POST /shipments`, nested as there, as the API shows them. */
  readonly shipment: Readonly<Record<string, unknown>>;
  readonly trackingNumber: string;
  readonly status: string;
  /** ISO 8601 with offset, as are all times here. */
  readonly createdAt: string;
  readonly deliveryDeadline: string | null;
  /** Decimal with 2 places, as all amounts here. */
  readonly deliveryFee: string | null;
  readonly totalCodToCollect: string | null;
  /** ISO 4217. */
  readonly currency: string;
  /** Names, for people: import leaves both alone. */
  readonly merchant: string | null;
  readonly driver: string | null;
}

/** Text is what people wrote and could be taken for a formula; numbers are made by the service. */
export type ExportKind = 'text' | 'number' | 'amount';

export interface ExportColumn {
  readonly header: string;
  readonly kind: ExportKind;
  /** Width in characters. */
  readonly width: number;
  /** The cell as text; empty for nothing. */
  readonly read: (row: ExportRow) => string;
}

/** The columns of the import in their order, then what the service added (issue of the export). */
export function exportColumns(): readonly ExportColumn[] {
  return [...COLUMNS.map(importedColumn), ...ADDED_COLUMNS];
}

const ADDED_COLUMNS: readonly ExportColumn[] = [
  { header: 'tracking_number', kind: 'text', width: 24, read: (row) => row.trackingNumber },
  { header: 'status', kind: 'text', width: 18, read: (row) => row.status },
  { header: 'created_at', kind: 'text', width: 26, read: (row) => row.createdAt },
  { header: 'delivery_deadline', kind: 'text', width: 26, read: (row) => row.deliveryDeadline ?? '' },
  { header: 'delivery_fee', kind: 'amount', width: 14, read: (row) => row.deliveryFee ?? '' },
  { header: 'total_cod_to_collect', kind: 'amount', width: 20, read: (row) => row.totalCodToCollect ?? '' },
  { header: 'currency', kind: 'text', width: 10, read: (row) => row.currency },
  { header: 'merchant', kind: 'text', width: 24, read: (row) => row.merchant ?? '' },
  { header: 'driver', kind: 'text', width: 24, read: (row) => row.driver ?? '' },
];

const EXPORT_KINDS: Partial<Record<(typeof COLUMNS)[number]['kind'], ExportKind>> = {
  decimal: 'number',
  money: 'amount',
};

function importedColumn(column: (typeof COLUMNS)[number]): ExportColumn {
  return {
    header: column.header,
    kind: EXPORT_KINDS[column.kind] ?? 'text',
    width: column.width,
    read: ({ shipment }) => textOf(valueAt(shipment, column.path)),
  };
}

function valueAt(record: unknown, path: readonly string[]): unknown {
  let value = record;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = Reflect.get(value, key);
  }
  return value;
}

/** Lists as import takes them apart again; what is not a text, number or list of them has no cell. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  return Array.isArray(value) ? value.map(textOf).join(';') : '';
}
