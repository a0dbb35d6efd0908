import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Schemas } from '../../shared/client.ts';
import { answerWithTag, api } from '../../shared/client.ts';
import { Button } from '../parts/button.tsx';
import type { ConflictField } from '../parts/conflict.tsx';
import { ConflictNotice } from '../parts/conflict.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { ErrorNotice } from '../parts/notice.tsx';
import { ReadFailure, Skeleton } from '../parts/states.tsx';
import type { TaggedRecord } from '../parts/use-edit.ts';
import { useEdit } from '../parts/use-edit.ts';
import { PlacePicker } from './place-picker.tsx';
import type { Place } from './port.ts';
import styles from './map.module.css';

type Task = Schemas['Task'];

interface Props {
  /** Of the task. */
  readonly id: string;
  readonly onClose: () => void;
}

/** Sets where a task is: the service remembers it for the next parcel to that phone number and street. */
export default function PlaceDrawer({ id, onClose }: Props) {
  const { t } = useLingui();
  const task = useQuery({
    queryKey: ['tasks', 'place', id],
    queryFn: () => readTask(id),
    // The form keeps what it began with: what changes meanwhile is found when it is saved.
    staleTime: Infinity,
    gcTime: 0,
  });
  return (
    <Dialog title={t`Set the place`} form="drawer" onClose={onClose} closeLabel={t`Close`}>
      {task.isPending && <Skeleton rows={8} />}
      {task.isError && <ReadFailure error={task.error} onRetry={() => void task.refetch()} />}
      {task.data && <PlaceForm initial={task.data} onDone={onClose} />}
    </Dialog>
  );
}

interface FormProps {
  readonly initial: TaggedRecord<Task>;
  readonly onDone: () => void;
}

function PlaceForm({ initial, onDone }: FormProps) {
  const fieldsOf = useConflictFields();
  const queries = useQueryClient();
  const { id } = initial.body;
  const edit = useEdit<Task, Schemas['TaskPatch']>({
    initial,
    read: () => readTask(id),
    send: (body, etag) => patchTask(id, body, etag),
  });
  const [place, setPlace] = useState(placeOf(initial.body));
  const finish = (isSaved: boolean) => {
    if (!isSaved) return;
    void queries.invalidateQueries({ queryKey: ['shipments'] });
    onDone();
  };
  const save = () => {
    if (place !== undefined) void edit.run({ address: place }).then(finish);
  };
  const { conflict } = edit;
  return (
    <form
      className={styles['picker']}
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <AddressLine task={edit.base.body} />
      <PlacePicker
        value={place}
        onChange={setPlace}
        address={addressText(edit.base.body)}
        latitudeError={edit.errorOf('address.latitude')}
        longitudeError={edit.errorOf('address.longitude')}
      />
      {edit.error !== undefined && !conflict && <ErrorNotice error={edit.error} />}
      {conflict && (
        <ConflictNotice
          fields={fieldsOf(edit.base.body, place, conflict.body)}
          isPending={edit.isPending}
          onTakeTheirs={() => {
            edit.takeTheirs();
            setPlace(placeOf(conflict.body));
          }}
          onKeepMine={() => void edit.keepMine().then(finish)}
        />
      )}
      <div>
        <Button type="submit" kind="primary" isPending={edit.isPending} disabled={place === undefined}>
          <Trans>Save the place</Trans>
        </Button>
      </div>
    </form>
  );
}

function useConflictFields(): (
  before: Task,
  mine: Place | undefined,
  theirs: Task,
) => readonly ConflictField[] {
  const { t } = useLingui();
  return (before, mine, theirs) => {
    const address = addressText(before);
    return [
      {
        label: t`Place`,
        ...{ before: placeText(placeOf(before)), mine: placeText(mine), theirs: placeText(placeOf(theirs)) },
      },
      { label: t`Address`, before: address, mine: address, theirs: addressText(theirs) },
    ];
  };
}

function AddressLine({ task: { address } }: { readonly task: Task }) {
  const { landmark, street, city } = address;
  return (
    <p>
      <bdi>{[landmark, street, city].filter(Boolean).join(' · ')}</bdi>
    </p>
  );
}

function readTask(id: string): Promise<TaggedRecord<Task>> {
  return answerWithTag(api.GET('/tasks/{id}', { params: { path: { id } } }));
}

function patchTask(id: string, body: Schemas['TaskPatch'], etag: string | null): Promise<TaggedRecord<Task>> {
  const params = { path: { id }, header: etag === null ? {} : { 'If-Match': etag } };
  const headers = { 'Content-Type': 'application/merge-patch+json' };
  return answerWithTag(api.PATCH('/tasks/{id}', { params, headers, body }));
}

function placeOf({ address: { latitude, longitude } }: Task): Place | undefined {
  return latitude === undefined || longitude === undefined ? undefined : { latitude, longitude };
}

function placeText(place: Place | undefined): string {
  return place === undefined ? '' : `${place.latitude}, ${place.longitude}`;
}

function addressText({ address: { street, city } }: Task): string {
  return [street, city].filter(Boolean).join(', ');
}
