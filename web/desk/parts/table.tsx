import { Trans, useLingui } from '@lingui/react/macro';
import type { KeyboardEvent, ReactNode } from 'react';
import { useEffect, useEffectEvent, useRef } from 'react';
import { formatNumber } from '../../shared/format.ts';
import { Button } from './button.tsx';
import styles from './table.module.css';

export interface Column<Row> {
  readonly key: string;
  readonly title: ReactNode;
  readonly cell: (row: Row) => ReactNode;
  /** The column that names the row; readers announce it with each cell. */
  readonly isRowHeader?: boolean;
  /** Amounts and counts stand at the end of their column. */
  readonly isNumber?: boolean;
  /** Set for a column that the list can be ordered by. */
  readonly order?: { readonly direction: 'asc' | 'desc' | undefined; readonly onChange: () => void };
}

/** Which rows are selected, by their keys. */
export interface Selection<Row> {
  readonly selected: ReadonlySet<string>;
  readonly onChange: (selected: ReadonlySet<string>) => void;
  /** What the row's checkbox is called. */
  readonly labelOf: (row: Row) => string;
}

interface Props<Row> {
  /** What the table shows; for readers, since a screen's title says it to others. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly selection?: Selection<Row>;
  /** The row that a drawer shows. */
  readonly currentKey?: string | undefined;
}

/**
 * Rows with what can be done in them. Arrow up and down move between the same controls of neighbouring rows; with shift a click
 * or the space key selects all rows from the last one on. For at most some 200 rows: longer lists have pages.
 */
export function Table<Row>({ caption, columns, rows, keyOf, selection, currentKey }: Props<Row>) {
  const keys = rows.map(keyOf);
  return (
    <div className={styles['frame']}>
      <table className={styles['table']}>
        <caption className={styles['caption']}>{caption}</caption>
        <thead>
          <tr>
            {selection && <SelectAll keys={keys} {...selection} />}
            {columns.map((column) => (
              <ColumnHeader key={column.key} column={column} />
            ))}
          </tr>
        </thead>
        <Rows {...{ columns, rows, keyOf, keys, selection, currentKey }} />
      </table>
    </div>
  );
}

interface RowsProps<Row> {
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keys: readonly string[];
  readonly keyOf: (row: Row) => string;
  readonly selection: Selection<Row> | undefined;
  readonly currentKey: string | undefined;
}

function Rows<Row>({ columns, rows, keys, keyOf, selection, currentKey }: RowsProps<Row>) {
  const anchor = useRef<string | undefined>(undefined);
  return (
    <tbody onKeyDown={moveBetweenRows}>
      {rows.map((row) => {
        const key = keyOf(row);
        const isSelected = selection?.selected.has(key) === true;
        return (
          <tr key={key} data-selected={isSelected} aria-current={key === currentKey || undefined}>
            {selection && (
              <td className={styles['check']}>
                <input
                  type="checkbox"
                  aria-label={selection.labelOf(row)}
                  checked={isSelected}
                  onChange={({ nativeEvent, target }) => {
                    const from = isShifted(nativeEvent) ? anchor.current : undefined;
                    anchor.current = key;
                    selection.onChange(
                      withRange(selection.selected, keys, { from, to: key, isOn: target.checked }),
                    );
                  }}
                />
              </td>
            )}
            {columns.map((column) => (
              <Cell key={column.key} column={column} row={row} />
            ))}
          </tr>
        );
      })}
    </tbody>
  );
}

function Cell<Row>({ column, row }: { readonly column: Column<Row>; readonly row: Row }) {
  const name = column.isNumber === true ? styles['number'] : undefined;
  const content = column.cell(row);
  if (column.isRowHeader !== true) return <td className={name}>{content}</td>;
  return (
    <th scope="row" className={name}>
      {content}
    </th>
  );
}

function ColumnHeader<Row>({ column: { title, isNumber, order } }: { readonly column: Column<Row> }) {
  const direction = order?.direction;
  return (
    <th
      scope="col"
      className={isNumber === true ? styles['number'] : undefined}
      aria-sort={direction && (direction === 'asc' ? 'ascending' : 'descending')}
    >
      {order === undefined ? (
        title
      ) : (
        <button type="button" className={styles['order']} onClick={order.onChange}>
          {title} <span aria-hidden="true">{signOf(direction)}</span>
        </button>
      )}
    </th>
  );
}

function signOf(direction: 'asc' | 'desc' | undefined): string {
  if (direction === undefined) return '↕';
  return direction === 'asc' ? '↑' : '↓';
}

interface SelectAllProps {
  readonly keys: readonly string[];
  readonly selected: ReadonlySet<string>;
  readonly onChange: (selected: ReadonlySet<string>) => void;
}

function SelectAll({ keys, selected, onChange }: SelectAllProps) {
  const { t } = useLingui();
  const count = keys.filter((key) => selected.has(key)).length;
  const isAll = count > 0 && count === keys.length;
  return (
    <th scope="col" className={styles['check']}>
      <input
        type="checkbox"
        aria-label={t`Select all rows of this page`}
        ref={(element) => {
          if (element !== null) element.indeterminate = count > 0 && !isAll;
        }}
        checked={isAll}
        onChange={() => onChange(new Set(isAll ? [] : keys))}
      />
    </th>
  );
}

function isShifted(event: Event): boolean {
  return event instanceof MouseEvent && event.shiftKey;
}

/** The selection with the rows from one to another switched on or off. */
function withRange(
  selected: ReadonlySet<string>,
  keys: readonly string[],
  { from, to, isOn }: { readonly from: string | undefined; readonly to: string; readonly isOn: boolean },
): ReadonlySet<string> {
  const end = keys.indexOf(to);
  const start = from !== undefined && keys.includes(from) ? keys.indexOf(from) : end;
  const next = new Set(selected);
  for (const key of keys.slice(Math.min(start, end), Math.max(start, end) + 1)) {
    if (isOn) next.add(key);
    else next.delete(key);
  }
  return next;
}

const CONTROLS = 'a[href], button, input';

/** Arrow up and down: from a control to the same one of the row above or below. */
function moveBetweenRows(event: KeyboardEvent<HTMLTableSectionElement>): void {
  const { key, target } = event;
  if ((key !== 'ArrowUp' && key !== 'ArrowDown') || !(target instanceof HTMLElement)) return;
  if (target instanceof HTMLInputElement && target.type !== 'checkbox') return;
  const row = target.closest('tr');
  const next = key === 'ArrowUp' ? row?.previousElementSibling : row?.nextElementSibling;
  if (!row || !next) return;
  const place = [...row.querySelectorAll(CONTROLS)].indexOf(target);
  const controls = next.querySelectorAll<HTMLElement>(CONTROLS);
  const wanted = controls[place] ?? controls[0];
  if (wanted === undefined) return;
  event.preventDefault();
  wanted.focus();
}

interface PagerProps {
  readonly page: number;
  readonly itemsPerPage: number;
  readonly totalItems: number;
  /** Whether the total is still that of what was asked before: it says nothing of whether the page exists. */
  readonly isPlaceholderData?: boolean;
  /** Shows a page; with `replace` Back does not lead to the one before. */
  readonly onPage: (page: number, options?: { readonly replace: boolean }) => void;
}

/**
 * Which rows of how many are shown, and the pages before and after. Behind the last page, where a list became shorter or an
 * address is old, it leads to the last one.
 */
export function Pager({ page, itemsPerPage, totalItems, isPlaceholderData = false, onPage }: PagerProps) {
  const { t } = useLingui();
  const pages = Math.max(1, Math.ceil(totalItems / itemsPerPage));
  const isBehind = !isPlaceholderData && page > pages;
  const leave = useEffectEvent(() => onPage(pages, { replace: true }));
  useEffect(() => {
    if (isBehind) leave();
  }, [isBehind]);
  const first = formatNumber(Math.min((page - 1) * itemsPerPage + 1, totalItems));
  const last = formatNumber(Math.min(page * itemsPerPage, totalItems));
  const all = formatNumber(totalItems);
  if (totalItems === 0) return null;
  return (
    <nav className={styles['pager']} aria-label={t`Pages`}>
      <span>
        <Trans>
          {first} to {last} of {all}
        </Trans>
      </span>
      {pages > 1 && (
        <>
          <Button disabled={page <= 1} onClick={() => onPage(page - 1)}>
            <Trans>Previous</Trans>
          </Button>
          <Button disabled={page >= pages} onClick={() => onPage(page + 1)}>
            <Trans>Next</Trans>
          </Button>
        </>
      )}
    </nav>
  );
}
