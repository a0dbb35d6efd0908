import { iriOf } from '../../../domain/iri.ts';
import { parseId } from '../../../domain/ids.ts';
import type { Schemas } from '../../shared/client.ts';
import { answer, answerWithTag, api, done } from '../../shared/client.ts';
import type { TaggedRecord } from '../parts/use-edit.ts';

export type Run = Schemas['DeliveryRun'];
export type RunTask = Schemas['DeliveryRunTask'];
type RunPatch = Schemas['DeliveryRunPatch'];

/** What became of giving one task to the run's driver. */
export type Assignment = NonNullable<Run['assignments']>[number];

/** A run as its form holds it; an empty text is none. */
export interface RunDraft {
  readonly name: string;
  readonly date: string;
  /** The driver's IRI. */
  readonly driver: string;
}

export function draftOf({ name = '', date, driver = '' }: Run): RunDraft {
  return { name, date, driver };
}

export function readRun(id: string): Promise<TaggedRecord<Run>> {
  return answerWithTag(api.GET('/delivery-runs/{id}', { params: { path: { id } } }));
}

export function createRun({ name, date, driver }: RunDraft, key: string): Promise<Run> {
  const header = { 'Idempotency-Key': key };
  const body = {
    status: 'planned' as const,
    tasks: [],
    date,
    ...(name !== '' && { name }),
    ...(driver !== '' && { driver }),
  };
  return answer(api.POST('/delivery-runs', { params: { header }, body }));
}

/** Sends a change of a run against the version that was read: 412 where somebody else has edited it since. */
export function patchRun(id: string, body: RunPatch, etag: string | null): Promise<TaggedRecord<Run>> {
  const header = etag === null ? {} : { 'If-Match': etag };
  return answerWithTag(api.PATCH('/delivery-runs/{id}', { params: { path: { id }, header }, body }));
}

/** What the person changed of a run; a driver that is named gets the open tasks. */
export function changesOf(before: RunDraft, { name, date, driver }: RunDraft): RunPatch {
  return {
    ...(name !== before.name && { name: name === '' ? null : name }),
    ...(date !== before.date && { date }),
    ...(driver !== before.driver && { driver: driver === '' ? null : driver }),
  };
}

export function addTasks(id: string, taskIds: readonly string[]): Promise<TaggedRecord<Run>> {
  const body = { tasks: taskIds.map(taskIri) };
  return answerWithTag(api.POST('/delivery-runs/{id}/tasks', { params: { path: { id } }, body }));
}

export function removeTask(runId: string, taskId: string): Promise<void> {
  const path = { runId, taskId };
  return done(api.DELETE('/delivery-runs/{runId}/tasks/{taskId}', { params: { path } }));
}

export function deleteRun(id: string): Promise<void> {
  return done(api.DELETE('/delivery-runs/{id}', { params: { path: { id } } }));
}

/** The IRI of a task that the service named by its id. */
export function taskIri(id: string): string {
  const parsed = parseId<'task'>(id);
  if (parsed === undefined) throw new Error('a task without an id');
  return iriOf('task', parsed);
}
