import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { ConflictNotice } from '../parts/conflict.tsx';
import { Notice } from '../parts/notice.tsx';
import { ReadFailure, Skeleton } from '../parts/states.tsx';
import type { TaggedRecord } from '../parts/use-edit.ts';
import { useSession } from '../session.tsx';
import type { Organization, OrganizationChange } from './organization-reads.ts';
import { changeOrganization, readOrganization, useOrganization } from './organization-reads.ts';
import { FieldInputs } from './record/field-inputs.tsx';
import type { FormField, FormValues } from './record/form-field.ts';
import { FormFrame } from './record/form-frame.tsx';
import { useEditForm } from './record/use-form.ts';

interface Props {
  readonly label: string;
  readonly fields: readonly FormField[];
  readonly valuesOf: (organization: Organization) => FormValues;
  readonly bodyOf: (values: FormValues) => OrganizationChange;
  /** What is shown beside the form, of the organization as it was read. */
  readonly facts?: (organization: Organization) => ReactNode;
}

/** A form over some fields of the organization. */
export function OrganizationForm(props: Props) {
  const found = useOrganization();
  if (found.data !== undefined) return <Form {...props} initial={found.data} />;
  if (found.isError) return <ReadFailure error={found.error} onRetry={() => void found.refetch()} />;
  return <Skeleton rows={8} />;
}

function Form({
  label,
  fields,
  valuesOf,
  bodyOf,
  facts,
  initial,
}: Props & { readonly initial: TaggedRecord<Organization> }) {
  const [known] = useState(initial);
  const [isSaved, setIsSaved] = useState(false);
  const { check } = useSession();
  const { id } = known.body;
  const form = useEditForm<Organization, OrganizationChange>({
    initial: known,
    fields,
    valuesOf,
    bodyOf,
    read: () => readOrganization(id),
    send: (patch, etag) => changeOrganization(id, patch, etag),
  });
  const { edit, values } = form;
  const show = (done: boolean) => {
    setIsSaved(done);
    // The session names the organization and its time zone.
    if (done) check();
  };
  return (
    <>
      {facts?.(edit.base.body)}
      <FormFrame
        label={label}
        isDirty={form.isDirty}
        action={edit}
        fields={fields}
        onSubmit={() => void form.save().then(show)}
        done={
          isSaved &&
          !form.isDirty && (
            <Notice kind="success">
              <Trans>Saved.</Trans>
            </Notice>
          )
        }
      >
        <FieldInputs fields={fields} values={values} onChange={form.setValues} errorOf={edit.errorOf} />
        {edit.conflict && (
          <ConflictNotice
            fields={form.conflictFields}
            isPending={edit.isPending}
            onTakeTheirs={form.takeTheirs}
            onKeepMine={() => void edit.keepMine().then(show)}
          />
        )}
      </FormFrame>
    </>
  );
}
