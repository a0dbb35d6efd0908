import { collectionPath } from '../../../domain/iri.ts';
import { answerWithTag, api, done, idOf } from '../../shared/client.ts';
import { RejectedRequest } from '../../shared/problem.ts';
import type { Place } from './plan.ts';
import type { Iri } from './rows.ts';

/** A task and the place that it gets in a run. */
export interface Placing {
  readonly task: Iri;
  readonly at: Place['at'];
}

/** A run that others change at the same time is read again this often. */
const TRIES = 4;

/**
 * Puts tasks into a run at their places, in the order given: those that are not in it join it. The run is read before, so that
 * its tasks that the board does not show keep theirs, and sent with its tag. Rejects as `answer` does.
 */
export async function placeInRun(run: Iri, placings: readonly Placing[]): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await tryToPlace(run, placings);
      return;
    } catch (error) {
      const isOld = error instanceof RejectedRequest && error.status === 412;
      if (!isOld || tries === TRIES) throw error;
    }
  }
}

/** Takes a task out of a run; it keeps its driver. It does not matter whether it is in it any more. */
export async function leaveRun(run: Iri, task: Iri): Promise<void> {
  const path = { runId: idOf(run), taskId: idOf(task) };
  try {
    await done(api.DELETE('/delivery-runs/{runId}/tasks/{taskId}', { params: { path } }));
  } catch (error) {
    if (!(error instanceof RejectedRequest && error.status === 404)) throw error;
  }
}

async function tryToPlace(run: Iri, placings: readonly Placing[]): Promise<void> {
  const path = { id: idOf(run) };
  let { body, etag } = await answerWithTag(api.GET('/delivery-runs/{id}', { params: { path } }));
  const headers = () => (etag === null ? {} : { 'If-Match': etag });
  const wanted = orderWith(iris(body), placings);
  const missing = wanted.filter((task) => !iris(body).includes(task));
  if (missing.length > 0) {
    const position = wanted.indexOf(missing[0] ?? '');
    const params = { path, header: headers() };
    ({ body, etag } = await answerWithTag(
      api.POST('/delivery-runs/{id}/tasks', { params, body: { tasks: missing, position } }),
    ));
  }
  if (iris(body).join() === wanted.join()) return;
  const headersOfPatch = { 'Content-Type': 'application/merge-patch+json' };
  await answerWithTag(
    api.PATCH('/delivery-runs/{id}', {
      params: { path, header: headers() },
      headers: headersOfPatch,
      body: { tasks: wanted },
    }),
  );
}

function iris({ tasks }: { readonly tasks: readonly { readonly id: string }[] }): readonly Iri[] {
  return tasks.map(({ id }) => `${collectionPath('task')}/${id}`);
}

/** The order of a run's tasks with some of them, or others, at their places. */
export function orderWith(present: readonly Iri[], placings: readonly Placing[]): Iri[] {
  const moved = new Set(placings.map(({ task }) => task));
  const order = present.filter((task) => !moved.has(task));
  for (const { task, at } of placings) {
    const found = at === 'end' ? -1 : 'index' in at ? at.index : order.indexOf(at.before);
    order.splice(found < 0 ? order.length : found, 0, task);
  }
  return order;
}
