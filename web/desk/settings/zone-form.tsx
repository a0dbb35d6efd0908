import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Schemas } from '../../shared/client.ts';
import { answer, answerWithTag, api, done } from '../../shared/client.ts';
import { ringsOf } from '../map/fleet.ts';
import { OutlineEditor } from '../map/outline-editor.tsx';
import type { Place } from '../map/port.ts';
import { Button } from '../parts/button.tsx';
import { ConflictNotice } from '../parts/conflict.tsx';
import { CheckField, TextField } from '../parts/fields.tsx';
import { ErrorNotice } from '../parts/notice.tsx';
import { ReadFailure, Skeleton } from '../parts/states.tsx';
import type { ActionState } from '../parts/use-action.ts';
import { useAction } from '../parts/use-action.ts';
import type { TaggedRecord } from '../parts/use-edit.ts';
import { useEdit } from '../parts/use-edit.ts';
import { useRequestKey } from '../parts/use-request-key.ts';
import { useSession } from '../session.tsx';
import { changesOf } from './record/form-field.ts';
import { keyedParams } from './record/record-kind.ts';
import { Removal } from '../parts/removal.tsx';
import styles from '../map/map.module.css';

type Zone = Schemas['Zone'];
type ZoneRequest = Schemas['ZoneRequest'];

interface Values {
  readonly name: string;
  readonly baseFee: string;
  readonly isActive: boolean;
  readonly corners: readonly Place[];
  /** Holes, which are kept as they are. */
  readonly holes: readonly (readonly Place[])[];
}

const EMPTY: Values = { name: '', baseFee: '', isActive: true, corners: [], holes: [] };

export function NewZone({ onDone }: { readonly onDone: () => void }) {
  const queries = useQueryClient();
  const [values, setValues] = useState(EMPTY);
  const withKey = useRequestKey();
  const make = useAction((body: ZoneRequest) =>
    withKey((key) => answer(api.POST('/zones', { params: keyedParams(key), body }))),
  );
  const save = async () => {
    if (!(await make.run(bodyOf(values)))) return;
    void queries.invalidateQueries({ queryKey: ['zones'] });
    onDone();
  };
  return (
    <ZoneFields
      values={values}
      onChange={setValues}
      action={make}
      onSave={() => void save()}
      error={make.error}
    />
  );
}

export function ChangeZone({ id, onDone }: { readonly id: string; readonly onDone: () => void }) {
  const zone = useQuery({
    queryKey: ['zones', 'one', id],
    queryFn: () => readZone(id),
    staleTime: Infinity,
    gcTime: 0,
  });
  if (zone.isError) return <ReadFailure error={zone.error} onRetry={() => void zone.refetch()} />;
  return zone.data ? <ChangeForm initial={zone.data} onDone={onDone} /> : <Skeleton rows={8} />;
}

interface ChangeProps {
  readonly initial: TaggedRecord<Zone>;
  readonly onDone: () => void;
}

function ChangeForm({ initial, onDone }: ChangeProps) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const [values, setValues] = useState(() => valuesOf(initial.body));
  const { id } = initial.body;
  const edit = useEdit<Zone, Partial<ZoneRequest>>({
    initial,
    read: () => readZone(id),
    send: (body, etag) => patchZone(id, body, etag),
  });
  const finish = (isSaved: boolean) => {
    if (!isSaved) return;
    void queries.invalidateQueries({ queryKey: ['zones'] });
    onDone();
  };
  const { conflict } = edit;
  const { may } = useSession();
  const start = valuesOf(edit.base.body);
  const versions = (textOf: (zone: Values) => string) => ({
    ...{ before: textOf(start), mine: textOf(values) },
    theirs: conflict === undefined ? '' : textOf(valuesOf(conflict.body)),
  });
  return (
    <>
      <ZoneFields
        values={values}
        onChange={setValues}
        action={edit}
        onSave={() => void edit.run(changesOf(bodyOf(start), bodyOf(values))).then(finish)}
        error={conflict ? undefined : edit.error}
      />
      {conflict && (
        <ConflictNotice
          fields={[
            { label: t`Name`, ...versions(({ name }) => name) },
            { label: t`Base fee`, ...versions(({ baseFee }) => baseFee) },
            { label: t`In use`, ...versions(({ isActive }) => (isActive ? t`Yes` : t`No`)) },
            { label: t`Corners`, ...versions(({ corners }) => cornersText(corners)) },
          ]}
          isPending={edit.isPending}
          onTakeTheirs={() => {
            edit.takeTheirs();
            setValues(valuesOf(conflict.body));
          }}
          onKeepMine={() => void edit.keepMine().then(finish)}
        />
      )}
      {may('zone.delete') && (
        <Removal
          meaning={t`New shipments to this area get the price of another zone there, or the price outside of all zones. Shipments that exist keep their price. To pause the zone, take it out of use instead.`}
          remove={() => removeZone(id, edit.base.etag)}
          onGone={() => finish(true)}
        />
      )}
    </>
  );
}

interface FieldsProps {
  readonly values: Values;
  readonly onChange: (values: Values) => void;
  readonly action: Pick<ActionState<ZoneRequest>, 'errorOf' | 'isPending'>;
  readonly onSave: () => void;
  readonly error: unknown;
}

function ZoneFields({ values, onChange, action, onSave, error }: FieldsProps) {
  const { t } = useLingui();
  return (
    <form
      className={styles['picker']}
      onSubmit={(event) => {
        event.preventDefault();
        onSave();
      }}
    >
      <TextField
        label={t`Name`}
        value={values.name}
        onChange={(name) => onChange({ ...values, name })}
        error={action.errorOf('name')}
        required
      />
      <TextField
        label={t`Base fee`}
        value={values.baseFee}
        onChange={(baseFee) => onChange({ ...values, baseFee })}
        error={action.errorOf('baseFee')}
        inputMode="decimal"
        dir="ltr"
        required
      />
      <CheckField
        label={t`In use for prices`}
        value={values.isActive}
        onChange={(isActive) => onChange({ ...values, isActive })}
      />
      <OutlineEditor corners={values.corners} onChange={(corners) => onChange({ ...values, corners })} />
      {error !== undefined && <ErrorNotice error={error} />}
      <div>
        <Button
          type="submit"
          kind="primary"
          isPending={action.isPending}
          disabled={values.corners.length < 3}
        >
          <Trans>Save the zone</Trans>
        </Button>
      </div>
    </form>
  );
}

function readZone(id: string): Promise<TaggedRecord<Zone>> {
  return answerWithTag(api.GET('/zones/{id}', { params: { path: { id } } }));
}

function patchZone(id: string, body: Partial<ZoneRequest>, etag: string | null): Promise<TaggedRecord<Zone>> {
  const params = { path: { id }, header: etag === null ? {} : { 'If-Match': etag } };
  const headers = { 'Content-Type': 'application/merge-patch+json' };
  return answerWithTag(api.PATCH('/zones/{id}', { params, headers, body }));
}

function removeZone(id: string, etag: string | null): Promise<void> {
  const header = etag === null ? {} : { 'If-Match': etag };
  return done(api.DELETE('/zones/{id}', { params: { path: { id }, header } }));
}

function valuesOf(zone: Zone): Values {
  const [corners = [], ...holes] = ringsOf(zone);
  const { name, baseFee, isActive } = zone;
  return { name, baseFee, isActive, corners, holes };
}

function bodyOf({ name, baseFee, isActive, corners, holes }: Values): ZoneRequest {
  const coordinates = [corners, ...holes].map((ring) =>
    [...ring, ...ring.slice(0, 1)].map(({ latitude, longitude }): [number, number] => [longitude, latitude]),
  );
  return { name, baseFee, isActive, polygon: { type: 'Polygon', coordinates } };
}

function cornersText(corners: readonly Place[]): string {
  return corners.map(({ latitude, longitude }) => `${latitude}, ${longitude}`).join('; ');
}
