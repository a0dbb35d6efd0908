import { useState } from 'react';
import type { ConflictField } from '../../parts/conflict.tsx';
import type { TaggedRecord } from '../../parts/use-edit.ts';
import { useEdit } from '../../parts/use-edit.ts';
import type { FormField, FormValues } from './form-field.ts';
import { changesOf } from './form-field.ts';

interface Options<Row, Body extends object> {
  readonly initial: TaggedRecord<Row>;
  readonly fields: readonly FormField[];
  readonly valuesOf: (row: Row) => FormValues;
  readonly bodyOf: (values: FormValues) => Body;
  readonly read: () => Promise<TaggedRecord<Row>>;
  readonly send: (patch: Partial<Body>, etag: string | null) => Promise<TaggedRecord<Row>>;
}

/** A form that edits a record: what was typed stays until it is saved, and only what was changed is sent. */
export function useEditForm<Row, Body extends object>(options: Options<Row, Body>) {
  const { initial, fields, valuesOf, bodyOf, read, send } = options;
  const edit = useEdit<Row, Partial<Body>>({ initial, read, send });
  const start = valuesOf(edit.base.body);
  const [values, setValues] = useState(start);
  const changes = changesOf(bodyOf(start), bodyOf(values));
  const save = () => edit.run(changes);
  const { conflict } = edit;
  const theirs = conflict && valuesOf(conflict.body);
  const conflictFields: readonly ConflictField[] = theirs
    ? fields.map((field) => ({
        label: field.group === undefined ? field.label : `${field.group}: ${field.label}`,
        mine: shownValue(field, values),
        theirs: shownValue(field, theirs),
        before: shownValue(field, start),
      }))
    : [];
  return {
    edit,
    values,
    setValues,
    save,
    /** By what would be sent: `7,50` is saved as `7.50`. */
    isDirty: Object.keys(changes).length > 0,
    conflictFields,
    takeTheirs: () => {
      if (theirs) setValues(theirs);
      edit.takeTheirs();
    },
  };
}

function shownValue({ name, kind, options = [] }: FormField, values: FormValues): string {
  const value = values[name] ?? '';
  if (kind === 'check') return value === 'yes' ? '✓' : '✕';
  if (kind === 'password') return value === '' ? '' : '••••••';
  return options.find((option) => option.value === value)?.label ?? value;
}
