import { useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { leaveFreely } from '../../leave-guard.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { useAction } from '../../parts/use-action.ts';
import { useRequestKey } from '../../parts/use-request-key.ts';
import { FieldInputs } from './field-inputs.tsx';
import { isSame } from './form-field.ts';
import { FormFrame } from './form-frame.tsx';
import type { RecordKind } from './record-kind.ts';
import { useClosing } from './use-closing.tsx';

interface Props<Member extends { readonly id: string }, Row, Body extends object> {
  readonly kind: RecordKind<Member, Row, Body>;
  readonly onClose: () => void;
}

/** Makes a record. */
export function MakeDialog<Member extends { readonly id: string }, Row, Body extends object>({
  kind,
  onClose,
}: Props<Member, Row, Body>) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const [values, setValues] = useState(kind.fresh);
  const withKey = useRequestKey();
  const action = useAction(async () => {
    await withKey((key) => kind.create(kind.bodyOf(values), key));
    await queries.invalidateQueries({ queryKey: [kind.name] });
  });
  const isDirty = !isSame(kind.fresh, values);
  const { close, question } = useClosing(isDirty, onClose);
  const fields = kind.fields(values, true);
  const save = async () => {
    if (!(await action.run())) return;
    leaveFreely();
    onClose();
  };
  return (
    <Dialog title={kind.words.make} onClose={close} closeLabel={t`Close`}>
      {question}
      <FormFrame
        label={kind.words.make}
        isDirty={isDirty}
        action={action}
        fields={fields}
        onSubmit={() => void save()}
      >
        <FieldInputs fields={fields} values={values} onChange={setValues} errorOf={action.errorOf} />
      </FormFrame>
    </Dialog>
  );
}
