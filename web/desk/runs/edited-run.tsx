import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { ConflictNotice } from '../parts/conflict.tsx';
import type { TaggedRecord } from '../parts/use-edit.ts';
import { useEdit } from '../parts/use-edit.ts';
import { useDay } from '../day/use-day.ts';
import { idOf } from '../../shared/client.ts';
import type { Run, RunDraft } from './run-edits.ts';
import { changesOf, draftOf, patchRun, readRun } from './run-edits.ts';
import { RunForm } from './run-form.tsx';

interface Props {
  readonly initial: TaggedRecord<Run>;
  readonly onDone: (run: TaggedRecord<Run>) => void;
}

/** The form of a run that exists; somebody else's edit of the same run is shown beside one's own. */
export function EditedRun({ initial, onDone }: Props) {
  const { t } = useLingui();
  const day = useDay(initial.body.date);
  const { id } = initial.body;
  const edit = useEdit<Run, { before: RunDraft; draft: RunDraft }>({
    initial,
    read: () => readRun(id),
    send: async ({ before, draft }, etag) => {
      const answer = await patchRun(id, changesOf(before, draft), etag);
      onDone(answer);
      return answer;
    },
  });
  const [mine, setMine] = useState(draftOf(initial.body));
  const start = draftOf(edit.base.body);
  const driverOf = ({ driver }: RunDraft) => {
    const found = day.data?.drivers.find((one) => one.id === idOf(driver));
    return found === undefined ? '' : `${found.firstName} ${found.lastName}`;
  };
  const theirs = edit.conflict && draftOf(edit.conflict.body);
  return (
    <>
      {theirs && (
        <ConflictNotice
          fields={[
            { label: t`Name`, before: start.name, mine: mine.name, theirs: theirs.name },
            { label: t`Day`, before: start.date, mine: mine.date, theirs: theirs.date },
            {
              label: t`Driver`,
              ...{ before: driverOf(start), mine: driverOf(mine), theirs: driverOf(theirs) },
            },
          ]}
          isPending={edit.isPending}
          onTakeTheirs={edit.takeTheirs}
          onKeepMine={() => void edit.keepMine()}
        />
      )}
      <RunForm
        // Another version of the run is another form.
        key={edit.base.etag}
        start={start}
        action={{ ...edit, error: theirs === undefined ? edit.error : undefined }}
        onSend={(draft) => {
          setMine(draft);
          void edit.run({ before: start, draft });
        }}
        label={<Trans>Save</Trans>}
      />
    </>
  );
}
