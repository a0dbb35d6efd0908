/**
 * A point in the history of the database, as PostgreSQL's snapshots say it: which transactions had ended (decision 0030). Of two
 * points one has seen all that the other has, so they have an order.
 */
export interface Cursor {
  /** Which stretch of transaction numbers it belongs to: eight hexadecimal digits. */
  readonly epoch: string;
  /** Every transaction below has ended, but for the open ones. */
  readonly end: number;
  /** Transactions below `end` whose changes are not seen: they were under way. In ascending order. */
  readonly open: readonly number[];
}

const RADIX = 36;
const FORM = /^([0-9a-f]{8})-([0-9a-z]{1,11})((?:\.[0-9a-z]{1,11})*)$/;
/** Far more than there are connections. */
const MAXIMUM_CHARACTERS = 6_000;

/** Reads `pg_snapshot` as PostgreSQL writes it, `xmin:xmax:xip,…`. Throws for another text. */
export function cursorOf(epoch: string, snapshot: string): Cursor {
  const [, end, open] = /^\d+:(\d+):([\d,]*)$/.exec(snapshot) ?? [];
  if (end === undefined || open === undefined) throw new Error('PostgreSQL has another form of snapshots');
  return { epoch, end: Number(end), open: open === '' ? [] : open.split(',').map(Number) };
}

/** Writes a cursor as the id of an event. */
export function formatCursor({ epoch, end, open }: Cursor): string {
  const behind = open.map((xid) => `.${(end - xid).toString(RADIX)}`).join('');
  return `${epoch}-${end.toString(RADIX)}${behind}`;
}

/** Reads the id of an event; undefined for any other text. */
export function parseCursor(text: string): Cursor | undefined {
  const [, epoch, last, behind] = (text.length <= MAXIMUM_CHARACTERS ? FORM.exec(text) : null) ?? [];
  if (epoch === undefined || last === undefined || behind === undefined) return undefined;
  const end = parseInt(last, RADIX);
  const open = behind
    .split('.')
    .slice(1)
    .map((part) => end - parseInt(part, RADIX));
  const isOrdered = open.every((xid, index) => xid > (open[index - 1] ?? 0) && xid < end);
  return Number.isSafeInteger(end) && isOrdered ? { epoch, end, open } : undefined;
}

/**
 * How many transactions have ended: it grows with each one, so that it orders the points of one epoch, and is a version for what
 * has none of its own. Transactions that begin between two points count in neither.
 */
export function endedTransactions({ end, open }: Pick<Cursor, 'end' | 'open'>): number {
  return end - open.length;
}

/** The same point without having seen these transactions. */
export function withOpen(cursor: Cursor, xids: readonly number[]): Cursor {
  const open = new Set([...cursor.open, ...xids.filter((xid) => xid < cursor.end)]);
  return { ...cursor, open: [...open].sort((left, right) => left - right) };
}
