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
          fields={fieldsOf(start, mine, draftOf(edit.conflict.body))}
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

function useConflictFields(): (
  before: DriverDraft,
  mine: DriverDraft,
  theirs: DriverDraft,
) => readonly ConflictField[] {
  const { t, i18n } = useLingui();
  const vehicle = ({ vehicleType }: DriverDraft) =>
    vehicleType === '' ? '' : i18n._(VEHICLE_WORDS[vehicleType]);
  const duty = ({ isAvailable }: DriverDraft) => (isAvailable ? t`Available` : t`Off duty`);
  const user = (draft: DriverDraft) => (draft.user === '' ? t`Nobody` : draft.user.slice(-8));
  const fields: readonly (readonly [label: string, textOf: (draft: DriverDraft) => string])[] = [
    [t`First name`, ({ firstName }) => firstName],
    [t`Last name`, ({ lastName }) => lastName],
    [t`Phone`, ({ phoneNumber }) => phoneNumber],
    [t`Vehicle`, vehicle],
    [t`On duty`, duty],
    [t`Signs in as`, user],
  ];
  return (before, mine, theirs) =>
    fields.map(([label, textOf]) => ({
      ...{ label, before: textOf(before), mine: textOf(mine), theirs: textOf(theirs) },
    }));
}
