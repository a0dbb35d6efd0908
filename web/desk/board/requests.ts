import { answer, api, idOf } from '../../shared/client.ts';
import type { ProblemDocument } from '../../shared/problem.ts';
import type { Step } from './plan.ts';
import type { Iri } from './rows.ts';

/** At most this many transitions go in one request. */
export const MAXIMUM_TRANSITIONS = 100;

/** What became of one step. */
export type Outcome =
  | { readonly status: 'applied' | 'skipped' }
  | { readonly status: 'rejected'; readonly problem: ProblemDocument }
  | { readonly status: 'pending'; readonly command: Iri };

/** Sends the transitions of up to 100 steps. Resolves to their outcomes by task; rejects as `answer` does. */
export async function sendTransitions(steps: readonly Step[]): Promise<ReadonlyMap<Iri, Outcome>> {
  const items = steps.flatMap(({ task, transition, driver, reason, comment, key }) =>
    transition === undefined
      ? []
      : [
          {
            ...{ task, transition, idempotencyKey: key },
            ...(driver !== undefined && { driver }),
            ...(reason !== undefined && { reason }),
            ...(comment !== undefined && { comment }),
          },
        ],
  );
  const { results } = await answer(api.POST('/tasks/transitions', { body: { items } }));
  return new Map(
    results.map(({ task, status, problem, command }): [Iri, Outcome] => {
      if (status === 'pending') return [task, { status, command: command ?? '' }];
      if (status !== 'rejected') return [task, { status }];
      return [task, { status, problem: problem ?? { status: 409, title: '' } }];
    }),
  );
}

/** What became of a command that was not decided when it was asked for; undefined while it still is not. */
export async function readOutcome(command: Iri): Promise<Outcome | undefined> {
  const params = { path: { id: idOf(command) } };
  const { status, problem } = await answer(api.GET('/commands/{id}', { params }));
  if (status === 'received') return undefined;
  if (status === 'applied') return { status };
  return { status: 'rejected', problem: problem ?? { status: 500, title: '' } };
}
