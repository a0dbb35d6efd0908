import { Trans, useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { VEHICLE_WORDS } from '../../shared/domain-words.ts';
import type { ConflictField } from '../parts/conflict.tsx';
import { ConflictNotice } from '../parts/conflict.tsx';
import type { TaggedRecord } from '../parts/use-edit.ts';
import { useEdit } from '../parts/use-edit.ts';
import type { Driver, DriverDraft } from './driver-edits.ts';
import { draftOf, editDriver, readDriver } from './driver-edits.ts';
import { DriverForm } from './driver-form.tsx';

interface Props {
  readonly initial: TaggedRecord<Driver>;
  readonly onDone: (id: string) => void;
}

/** The change of a driver: what the person has made of what was read. */
interface Change {
  readonly before: DriverDraft;
  readonly draft: DriverDraft;
}

/** The form of a driver that exists; somebody else's edit of the same driver is shown beside one's own. */
export function EditedDriver({ initial, onDone }: Props) {
  const queries = useQueryClient();
  const { id } = initial.body;
  const edit = useEdit<Driver, Change>({
    initial,
    read: () => readDriver(id),
    send: ({ before, draft }, etag) => editDriver(id, before, draft, etag),
  });
  const [mine, setMine] = useState(draftOf(initial.body));
  const fieldsOf = useConflictFields();
  const finish = async (isSaved: boolean) => {
    if (!isSaved) return;
    await queries.invalidateQueries({ queryKey: ['day'] });
    onDone(id);
  };
  const start = draftOf(edit.base.body);
  return (
    <>
      {edit.conflict && (
        <ConflictNotice
          fields={fieldsOf(mine, draftOf(edit.conflict.body))}
          isPending={edit.isPending}
          onTakeTheirs={edit.takeTheirs}
          onKeepMine={() => void edit.keepMine().then(finish)}
        />
      )}
      <DriverForm
        // Another version of the driver is another form.
        key={edit.base.etag}
        start={start}
        action={{ ...edit, error: edit.conflict === undefined ? edit.error : undefined }}
        onSend={(draft) => {
          setMine(draft);
          void edit.run({ before: start, draft }).then(finish);
        }}
        label={<Trans>Save</Trans>}
      />
    </>
  );
}

function useConflictFields(): (mine: DriverDraft, theirs: DriverDraft) => readonly ConflictField[] {
  const { t, i18n } = useLingui();
  const vehicle = ({ vehicleType }: DriverDraft) =>
    vehicleType === '' ? '' : i18n._(VEHICLE_WORDS[vehicleType]);
  const duty = ({ isAvailable }: DriverDraft) => (isAvailable ? t`Available` : t`Off duty`);
  const user = (draft: DriverDraft) => (draft.user === '' ? t`Nobody` : draft.user.slice(-8));
  return (mine, theirs) => [
    { label: t`First name`, mine: mine.firstName, theirs: theirs.firstName },
    { label: t`Last name`, mine: mine.lastName, theirs: theirs.lastName },
    { label: t`Phone`, mine: mine.phoneNumber, theirs: theirs.phoneNumber },
    { label: t`Vehicle`, mine: vehicle(mine), theirs: vehicle(theirs) },
    { label: t`On duty`, mine: duty(mine), theirs: duty(theirs) },
    { label: t`Signs in as`, mine: user(mine), theirs: user(theirs) },
  ];
}
