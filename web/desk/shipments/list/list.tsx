import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { Link } from 'wouter';
import { useAddressParameter } from '../../address.ts';
import { useFreshQueries } from '../../changes.tsx';
import { Button, ButtonLink } from '../../parts/button.tsx';
import { ScreenHeader } from '../../parts/screen-header.tsx';
import { EmptyState, ReadFailure, Skeleton } from '../../parts/states.tsx';
import { Pager, Table } from '../../parts/table.tsx';
import { useSession } from '../../session.tsx';
import type { ShipmentLine } from '../reads.ts';
import { nameOf, useShipmentPage } from '../reads.ts';
import { BulkBar } from './bulk-bar.tsx';
import type { OrderBy } from './columns.tsx';
import { useShipmentColumns } from './columns.tsx';
import { FilterBar } from './filter-bar.tsx';
import type { Filters } from './filters.ts';
import {
  filterQuery,
  isNarrowed,
  ITEMS_PER_PAGE,
  listQuery,
  orderOf,
  pageOf,
  useFilters,
} from './filters.ts';
import styles from './list.module.css';

/** A search costs the service more, and an organization has fewer of them (domain/request-budgets.ts). */
const SEARCH_PACE_MS = 10_000;

/** Rows that were selected stay selected on other pages; their numbers are for what is said of them. */
export type SelectedShipments = ReadonlyMap<string, string>;

/** The shipments that the role may see, as a table. */
export function ShipmentList() {
  const { session, may } = useSession();
  const zone = session.organization.timezone;
  const [filters, change] = useFilters();
  const [selected, setSelected] = useState<SelectedShipments>(new Map());
  const page = useShipmentPage(listQuery(filters, zone));
  useFreshQueries(['Shipment'], ['shipments', 'list'], filters.search === '' ? undefined : SEARCH_PACE_MS);
  return (
    <>
      <ScreenHeader title={<Trans>Shipments</Trans>}>
        {may('shipment.export') && (
          <ButtonLink
            href={`/desk/api/v1/shipments/export?${filterQuery(filters, zone).toString()}`}
            download
          >
            <Trans>Export list (XLSX)</Trans>
          </ButtonLink>
        )}
        {may('shipment.create') && <NewShipmentLink />}
      </ScreenHeader>
      <FilterBar filters={filters} onChange={change} />
      {page.data === undefined ? (
        <ListState error={page.error} onRetry={() => void page.refetch()} />
      ) : (
        <div
          className={page.isPlaceholderData ? styles['old'] : undefined}
          aria-busy={page.isPlaceholderData}
        >
          {page.isError && <ReadFailure error={page.error} onRetry={() => void page.refetch()} />}
          {page.data.totalItems === 0 && <NothingFound filters={filters} onChange={change} />}
          {page.data.member.length > 0 && (
            <Rows
              rows={page.data.member}
              {...{ filters, selected }}
              onChange={change}
              onSelect={setSelected}
            />
          )}
          <Pager
            page={pageOf(filters)}
            itemsPerPage={ITEMS_PER_PAGE}
            totalItems={page.data.totalItems}
            isPlaceholderData={page.isPlaceholderData}
            onPage={(next, options) => change({ page: next === 1 ? '' : String(next) }, options)}
          />
        </div>
      )}
      {selected.size > 0 && <BulkBar selected={selected} onSelect={setSelected} />}
    </>
  );
}

function ListState({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) {
  return error === null ? <Skeleton rows={12} /> : <ReadFailure error={error} onRetry={onRetry} />;
}

function NewShipmentLink() {
  return (
    <Link href="/shipments/new" asChild>
      <ButtonLink href="/desk/shipments/new" kind="primary">
        <Trans>New shipment</Trans>
      </ButtonLink>
    </Link>
  );
}

interface ChangeProps {
  readonly filters: Filters;
  readonly onChange: (changes: Partial<Filters>) => void;
}

function NothingFound({ filters, onChange }: ChangeProps) {
  if (!isNarrowed(filters)) {
    return (
      <EmptyState title={<Trans>No shipments yet</Trans>}>
        <p>
          <Trans>Make one with «New shipment», or import a workbook.</Trans>
        </p>
      </EmptyState>
    );
  }
  const clear = { status: '', priority: '', merchant: '', search: '', from: '', until: '' };
  return (
    <EmptyState title={<Trans>No shipment fits these filters</Trans>}>
      <Button onClick={() => onChange(clear)}>
        <Trans>Clear filters</Trans>
      </Button>
    </EmptyState>
  );
}

interface RowsProps extends ChangeProps {
  readonly rows: readonly ShipmentLine[];
  readonly selected: SelectedShipments;
  readonly onSelect: (selected: SelectedShipments) => void;
}

function Rows({ rows, filters, selected, onChange, onSelect }: RowsProps) {
  const { t } = useLingui();
  const [opened] = useAddressParameter('shipment');
  const { by, direction } = orderOf(filters);
  const orderBy: OrderBy = (wanted) => ({
    direction: wanted === by ? direction : undefined,
    onChange: () => onChange({ order: wanted === by && direction === 'desc' ? wanted : `-${wanted}` }),
  });
  const columns = useShipmentColumns(orderBy);
  const select = (ids: ReadonlySet<string>) => {
    const numbers = new Map(rows.map((row) => [row.id, row.trackingNumber]));
    const pageIds = new Set(numbers.keys());
    const others = [...selected].filter(([id]) => !pageIds.has(id));
    const here = [...ids].flatMap((id): [string, string][] => {
      const number = numbers.get(id);
      return number === undefined ? [] : [[id, number]];
    });
    onSelect(new Map([...others, ...here]));
  };
  return (
    <Table
      caption={t`Shipments`}
      columns={columns}
      rows={rows}
      keyOf={(row) => row.id}
      currentKey={opened}
      selection={{
        selected: new Set(selected.keys()),
        onChange: select,
        labelOf: (row) => {
          const name = nameOf(row.recipient);
          const { trackingNumber } = row;
          return t`Select ${trackingNumber}, ${name}`;
        },
      }}
    />
  );
}
