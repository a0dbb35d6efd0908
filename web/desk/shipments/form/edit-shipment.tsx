import { Trans, useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { answerWithTag, api } from '../../../shared/client.ts';
import type { Schemas } from '../../../shared/client.ts';
import { leaveFreely } from '../../leave-guard.tsx';
import { Button } from '../../parts/button.tsx';
import { ConflictNotice } from '../../parts/conflict.tsx';
import { ScreenHeader } from '../../parts/screen-header.tsx';
import { ReadFailure, Skeleton } from '../../parts/states.tsx';
import type { TaggedRecord } from '../../parts/use-edit.ts';
import { useEdit } from '../../parts/use-edit.ts';
import { useSession } from '../../session.tsx';
import type { Shipment } from '../reads.ts';
import { readShipment, useShipment } from '../reads.ts';
import { useConflictFields } from './conflict-fields.ts';
import { useFieldNotes } from './field-notes.ts';
import { FormFrame } from './form-frame.tsx';
import { ShipmentFields } from './shipment-form.tsx';
import { useNumberCheck } from './use-number-check.ts';
import { isEmpty, patchOf, valuesOf } from './values.ts';

/** Changes a shipment that has not ended. */
export default function EditShipment({ id }: { readonly id: string }) {
  const shipment = useShipment(id);
  const [first, setFirst] = useState<TaggedRecord<Shipment>>();
  // The form keeps what it began with: what changes meanwhile is found when it is saved.
  if (first === undefined && shipment.data !== undefined && !shipment.isFetching) setFirst(shipment.data);
  const number = first?.body.trackingNumber ?? '';
  return (
    <>
      <ScreenHeader
        title={
          <Trans>
            Edit <bdi dir="ltr">{number}</bdi>
          </Trans>
        }
      />
      {shipment.isError && first === undefined && (
        <ReadFailure error={shipment.error} onRetry={() => void shipment.refetch()} />
      )}
      {first === undefined && !shipment.isError && <Skeleton rows={12} />}
      {first && <EditForm initial={first} />}
    </>
  );
}

function EditForm({ initial }: { readonly initial: TaggedRecord<Shipment> }) {
  const { t } = useLingui();
  const { session } = useSession();
  const [, navigate] = useLocation();
  const queries = useQueryClient();
  const zone = session.organization.timezone;
  const { id } = initial.body;
  const edit = useEdit<Shipment, Schemas['ShipmentPatch']>({
    initial,
    read: () => readShipment(id),
    send: (patch, etag) => send(id, patch, etag),
  });
  const start = valuesOf(edit.base.body, zone);
  const [values, setValues] = useState(start);
  const numbers = useNumberCheck(edit.errorOf);
  const theirs = edit.conflict && valuesOf(edit.conflict.body, zone);
  const conflictFields = useConflictFields(start, values, theirs ?? start);
  const patch = patchOf(start, values, zone);
  const leave = () => {
    leaveFreely();
    void queries.invalidateQueries({ queryKey: ['shipments'] });
    navigate(`/shipments?shipment=${id}`);
  };
  const save = async () => {
    if (!numbers.check(values)) return;
    if (isEmpty(patch) || (await edit.run(patch))) leave();
  };
  const { conflict } = edit;
  const takeTheirs = () => {
    edit.takeTheirs();
    if (theirs !== undefined) setValues(theirs);
  };
  return (
    <FormFrame
      label={t`Edit shipment`}
      isDirty={!isEmpty(patch)}
      action={edit}
      numberFaults={numbers.faults}
      onSubmit={() => void save()}
      acts={<SaveButton isPending={edit.isPending} />}
    >
      <ShipmentFields
        values={values}
        onChange={(changes) => setValues((before) => ({ ...before, ...changes }))}
        errorOf={numbers.errorOf}
        notes={useFieldNotes(edit.base.body)}
      />
      {conflict && (
        <ConflictNotice
          fields={conflictFields}
          isPending={edit.isPending}
          onTakeTheirs={takeTheirs}
          onKeepMine={() => void edit.keepMine().then((isSaved) => isSaved && leave())}
        />
      )}
    </FormFrame>
  );
}

function SaveButton({ isPending }: { readonly isPending: boolean }) {
  return (
    <Button type="submit" kind="primary" isPending={isPending}>
      <Trans>Save</Trans>
    </Button>
  );
}

function send(
  id: string,
  body: Schemas['ShipmentPatch'],
  etag: string | null,
): Promise<TaggedRecord<Shipment>> {
  const params = { path: { id }, header: etag === null ? {} : { 'If-Match': etag } };
  const headers = { 'Content-Type': 'application/merge-patch+json' };
  return answerWithTag(api.PATCH('/shipments/{id}', { params, headers, body }));
}
