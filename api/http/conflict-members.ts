import type { Problem } from '../../domain/problem.ts';
import { ProblemError } from '../../domain/problem.ts';
import { isJsonObject } from '../schema/json-schema.ts';
import type { RouteResponse } from './route.ts';

/** What a conflict says of the record as it is now, for the reader who gets it (route.ts `conflictMembers`). */
export type ConflictMembers = Pick<
  Extract<Problem, { readonly kind: 'conflict' }>,
  'changedAt' | 'changedBy' | 'task'
>;

/** Adds members to a 409, where there are any, whether it is thrown or comes from a stored answer. */
export async function withConflictMembers(
  respond: () => Promise<RouteResponse>,
  members: (() => Promise<ConflictMembers>) | undefined,
): Promise<RouteResponse> {
  if (members === undefined) return respond();
  try {
    const response = await respond();
    if (response.status !== 409 || !isJsonObject(response.body)) return response;
    return { ...response, body: { ...response.body, ...(await members()) } };
  } catch (error) {
    if (!(error instanceof ProblemError) || error.problem.kind !== 'conflict') throw error;
    throw new ProblemError({ ...error.problem, ...(await members()) });
  }
}
