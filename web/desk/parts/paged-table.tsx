import type { ComponentProps } from 'react';
import { useState } from 'react';
import { Pager, Table } from './table.tsx';

const ROWS_PER_PAGE = 100;

type Props<Row> = ComponentProps<typeof Table<Row>>;

/** A table of rows that are all here, a hundred at a time. */
export function PagedTable<Row>({ rows, ...props }: Props<Row>) {
  const [wanted, setWanted] = useState(1);
  const page = Math.min(wanted, Math.max(1, Math.ceil(rows.length / ROWS_PER_PAGE)));
  const shown = rows.slice((page - 1) * ROWS_PER_PAGE, page * ROWS_PER_PAGE);
  return (
    <>
      <Table {...props} rows={shown} />
      {rows.length > ROWS_PER_PAGE && (
        <Pager page={page} itemsPerPage={ROWS_PER_PAGE} totalItems={rows.length} onPage={setWanted} />
      )}
    </>
  );
}
