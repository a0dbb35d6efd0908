import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { STAGE_OF_STATUS } from '../../../domain/delivery-run.ts';
import { formatNumber } from '../../shared/format.ts';
import { VEHICLE_WORDS } from '../../shared/domain-words.ts';
import { matches, searchWords } from '../../../domain/text-search.ts';
import { useAddressParameter } from '../address.ts';
import type { Day, DayDriver } from '../day/day-rows.ts';
import { useDay, useToday } from '../day/use-day.ts';
import { Button } from '../parts/button.tsx';
import { SelectField, TextField } from '../parts/fields.tsx';
import { ParameterLink } from '../parts/parameter-link.tsx';
import { ScreenHeader } from '../parts/screen-header.tsx';
import { EmptyState, ReadFailure, Skeleton } from '../parts/states.tsx';
import type { Column } from '../parts/table.tsx';
import { PagedTable } from '../parts/paged-table.tsx';
import { useSession } from '../session.tsx';
import { asVehicle } from './driver-edits.ts';
import { DriverDialog } from './driver-dialog.tsx';
import { Availability } from './availability.tsx';
import { PhoneLink } from './phone-link.tsx';
import { PositionAge } from './position-age.tsx';

/** The drivers of the organization, and who of them is on duty. */
export default function DriversScreen() {
  const { t } = useLingui();
  const { may } = useSession();
  const day = useDay(useToday());
  const [isCreating, setIsCreating] = useState(false);
  const [search = '', setSearch] = useAddressParameter('search');
  const [duty = '', setDuty] = useAddressParameter('duty');
  const [, openDriver] = useAddressParameter('driver');
  return (
    <>
      <ScreenHeader title={<Trans>Drivers</Trans>}>
        <TextField
          label={t`Search`}
          type="search"
          value={search}
          onChange={(value) => setSearch(value === '' ? undefined : value)}
        />
        <SelectField
          label={t`Show`}
          value={duty}
          onChange={(value) => setDuty(value === '' ? undefined : value)}
          options={[
            { value: '', label: t`All drivers` },
            { value: 'available', label: t`Available` },
            { value: 'off', label: t`Off duty` },
          ]}
        />
        {may('driver.write') && (
          <Button kind="primary" onClick={() => setIsCreating(true)}>
            <Trans>New driver</Trans>
          </Button>
        )}
      </ScreenHeader>
      {day.isPending && <Skeleton rows={8} />}
      {day.error !== null && day.data === undefined && (
        <ReadFailure error={day.error} onRetry={() => void day.refetch()} />
      )}
      {day.data && <DriverTable day={day.data} search={search} duty={duty} />}
      {isCreating && (
        <DriverDialog
          onClose={() => setIsCreating(false)}
          onDone={(id) => {
            setIsCreating(false);
            openDriver(id);
          }}
        />
      )}
    </>
  );
}

interface TableProps {
  readonly day: Day;
  readonly search: string;
  readonly duty: string;
}

function DriverTable({ day, search, duty }: TableProps) {
  const { t } = useLingui();
  const columns = useColumns(openTasksByDriver(day));
  const words = searchWords(search);
  const drivers = day.drivers
    .filter(({ isAvailable }) => duty === '' || isAvailable === (duty === 'available'))
    .filter((driver) => matches(words, `${nameOf(driver)} ${driver.phoneNumber}`))
    .sort((one, other) => nameOf(one).localeCompare(nameOf(other)));
  if (day.drivers.length === 0) {
    return (
      <EmptyState title={<Trans>There are no drivers yet.</Trans>}>
        <p>
          <Trans>Add the first driver; then tasks can be assigned.</Trans>
        </p>
      </EmptyState>
    );
  }
  if (drivers.length === 0) return <EmptyState title={<Trans>No driver fits this search.</Trans>} />;
  return <PagedTable caption={t`Drivers`} columns={columns} rows={drivers} keyOf={({ id }) => id} />;
}

function useColumns(openTasks: ReadonlyMap<string, number>): readonly Column<DayDriver>[] {
  const { i18n } = useLingui();
  return [
    {
      key: 'name',
      title: <Trans>Name</Trans>,
      isRowHeader: true,
      cell: (driver) => (
        <ParameterLink name="driver" value={driver.id}>
          <bdi>{nameOf(driver)}</bdi>
        </ParameterLink>
      ),
    },
    {
      key: 'available',
      title: <Trans>On duty</Trans>,
      cell: (driver) => (
        <Availability id={driver.id} name={nameOf(driver)} isAvailable={driver.isAvailable} />
      ),
    },
    {
      key: 'tasks',
      title: <Trans>Open tasks</Trans>,
      isNumber: true,
      cell: ({ id }) => formatNumber(openTasks.get(id) ?? 0),
    },
    {
      key: 'vehicle',
      title: <Trans>Vehicle</Trans>,
      cell: ({ vehicleType = '' }) => {
        const vehicle = asVehicle(vehicleType);
        return vehicle === '' ? '–' : i18n._(VEHICLE_WORDS[vehicle]);
      },
    },
    {
      key: 'phone',
      title: <Trans>Phone</Trans>,
      cell: ({ phoneNumber }) => <PhoneLink number={phoneNumber} />,
    },
    {
      key: 'position',
      title: <Trans>Last position</Trans>,
      cell: ({ positionAt }) => <PositionAge at={positionAt} />,
    },
  ];
}

function nameOf({ firstName, lastName }: DayDriver): string {
  return `${firstName} ${lastName}`;
}

function openTasksByDriver({ tasks }: Day): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { driver, status } of tasks) {
    if (driver === undefined || !['open', 'underway'].includes(STAGE_OF_STATUS[status])) continue;
    const id = driver.slice(driver.lastIndexOf('/') + 1);
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}
