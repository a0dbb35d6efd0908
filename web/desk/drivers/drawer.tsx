import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { VEHICLE_WORDS } from '../../shared/domain-words.ts';
import { useFreshQueries } from '../changes.tsx';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import form from '../parts/form.module.css';
import { Removal } from '../parts/removal.tsx';
import { ReadFailure, Skeleton } from '../parts/states.tsx';
import { useSession } from '../session.tsx';
import { Availability } from './availability.tsx';
import { DriverDialog } from './driver-dialog.tsx';
import type { Driver } from './driver-edits.ts';
import { asVehicle, deleteDriver, readDriver } from './driver-edits.ts';
import { DriversDay } from './drivers-day.tsx';
import { PhoneLink } from './phone-link.tsx';
import { PositionAge } from './position-age.tsx';

interface Props {
  readonly id: string;
  readonly onClose: () => void;
}

/** A driver over any screen: `?driver=<id>`. */
export default function DriverDrawer({ id, onClose }: Props) {
  const { t } = useLingui();
  const read = useQuery({ queryKey: ['drivers', id], queryFn: () => readDriver(id) });
  useFreshQueries(['Driver'], ['drivers', id]);
  const driver = read.data?.body;
  const name = driver === undefined ? t`Driver` : `${driver.firstName} ${driver.lastName}`;
  return (
    <Dialog title={name} form="drawer" onClose={onClose} closeLabel={t`Close`}>
      {read.error !== null && <ReadFailure error={read.error} onRetry={() => void read.refetch()} />}
      {read.isPending && <Skeleton rows={4} />}
      {driver && <DriverFacts driver={driver} name={name} />}
      {driver && <DriverActions driver={driver} name={name} onClose={onClose} />}
      {driver && <DriversDay id={id} />}
    </Dialog>
  );
}

interface FactsProps {
  readonly driver: Driver;
  readonly name: string;
  readonly onClose: () => void;
}

function DriverFacts({ driver, name }: Omit<FactsProps, 'onClose'>) {
  const { i18n } = useLingui();
  const { id, lastPosition, user } = driver;
  const vehicle = asVehicle(driver.vehicleType ?? '');
  return (
    <dl className={form['facts']}>
      <dt>
        <Trans>On duty</Trans>
      </dt>
      <dd>
        <Availability id={id} name={name} isAvailable={driver.isAvailable} />
      </dd>
      <dt>
        <Trans>Phone</Trans>
      </dt>
      <dd>
        <PhoneLink number={driver.phoneNumber} />
      </dd>
      <dt>
        <Trans>Vehicle</Trans>
      </dt>
      <dd>{vehicle === '' ? '–' : i18n._(VEHICLE_WORDS[vehicle])}</dd>
      <dt>
        <Trans>Last position</Trans>
      </dt>
      <dd>
        <PositionAge at={lastPosition?.recordedAt} />
        {lastPosition && (
          <>
            {' · '}
            <bdi dir="ltr">
              {lastPosition.latitude.toFixed(4)}, {lastPosition.longitude.toFixed(4)}
            </bdi>
          </>
        )}
      </dd>
      <dt>
        <Trans>Signs in</Trans>
      </dt>
      <dd>{user === undefined ? <Trans>No user is linked</Trans> : <Trans>A user is linked</Trans>}</dd>
    </dl>
  );
}

function DriverActions({ driver: { id }, name, onClose }: FactsProps) {
  const { may } = useSession();
  const queries = useQueryClient();
  const [isEditing, setIsEditing] = useState(false);
  return (
    <div className={form['actions']}>
      {may('driver.write') && (
        <Button onClick={() => setIsEditing(true)}>
          <Trans>Edit</Trans>
        </Button>
      )}
      {may('driver.delete') && (
        <Removal
          meaning={
            <Trans>
              Delete <bdi>{name}</bdi>? Past deliveries keep the name.
            </Trans>
          }
          remove={async () => {
            await deleteDriver(id);
            await queries.invalidateQueries({ queryKey: ['day'] });
          }}
          onGone={onClose}
        />
      )}
      {isEditing && (
        <DriverDialog
          id={id}
          onClose={() => setIsEditing(false)}
          onDone={() => {
            setIsEditing(false);
            void queries.invalidateQueries({ queryKey: ['drivers', id] });
          }}
        />
      )}
    </div>
  );
}
