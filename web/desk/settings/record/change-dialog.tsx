import { useLingui } from '@lingui/react/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { leaveFreely } from '../../leave-guard.tsx';
import { ConflictNotice } from '../../parts/conflict.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { ReadFailure, Skeleton } from '../../parts/states.tsx';
import type { TaggedRecord } from '../../parts/use-edit.ts';
import { FieldInputs } from './field-inputs.tsx';
import { FormFrame } from './form-frame.tsx';
import type { RecordKind } from './record-kind.ts';
import { Removal } from '../../parts/removal.tsx';
import { useClosing } from './use-closing.tsx';
import { useEditForm } from './use-form.ts';

interface Props<Member extends { readonly id: string }, Row, Body extends object> {
  readonly kind: RecordKind<Member, Row, Body>;
  readonly id: string;
  readonly onClose: () => void;
}

/** Changes or deletes a record, as it is when the dialog opens. */
export function ChangeDialog<Member extends { readonly id: string }, Row, Body extends object>(
  props: Props<Member, Row, Body>,
) {
  const { kind, id, onClose } = props;
  const { t } = useLingui();
  const found = useQuery({
    queryKey: [kind.name, 'settings', 'one', id],
    queryFn: () => kind.read(id),
    // The form keeps what it began with; what changes meanwhile is found when it is saved.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  });
  if (found.data !== undefined) return <ChangeForm {...props} initial={found.data} />;
  return (
    <Dialog title={kind.words.change} onClose={onClose} closeLabel={t`Close`}>
      {found.isError ? (
        <ReadFailure error={found.error} onRetry={() => void found.refetch()} />
      ) : (
        <Skeleton rows={6} />
      )}
    </Dialog>
  );
}

function ChangeForm<Member extends { readonly id: string }, Row, Body extends object>({
  kind,
  id,
  initial,
  onClose,
}: Props<Member, Row, Body> & { readonly initial: TaggedRecord<Row> }) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const [known] = useState(initial);
  const form = useEditForm<Row, Body>({
    initial: known,
    fields: kind.fields(kind.valuesOf(known.body), false),
    valuesOf: kind.valuesOf,
    bodyOf: kind.bodyOf,
    read: () => kind.read(id),
    send: (patch, etag) => kind.edit(id, patch, etag),
  });
  const { edit, values } = form;
  const { close, question } = useClosing(form.isDirty, onClose);
  const fields = kind.fields(values, false);
  const leaveAfter = (isSaved: boolean) => {
    if (!isSaved) return;
    leaveFreely();
    void queries.invalidateQueries({ queryKey: [kind.name] });
    onClose();
  };
  return (
    <Dialog title={kind.words.change} onClose={close} closeLabel={t`Close`}>
      {question}
      <FormFrame
        label={kind.words.change}
        isDirty={form.isDirty}
        action={edit}
        fields={fields}
        onSubmit={() => void form.save().then(leaveAfter)}
      >
        <FieldInputs fields={fields} values={values} onChange={form.setValues} errorOf={edit.errorOf} />
        {edit.conflict && (
          <ConflictNotice
            fields={form.conflictFields}
            isPending={edit.isPending}
            onTakeTheirs={form.takeTheirs}
            onKeepMine={() => void edit.keepMine().then(leaveAfter)}
          />
        )}
      </FormFrame>
      {kind.remove && (
        <Removal
          meaning={kind.words.removal}
          remove={kind.remove.bind(undefined, id, edit.base.etag)}
          onGone={() => leaveAfter(true)}
        />
      )}
    </Dialog>
  );
}
