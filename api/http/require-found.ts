import { say } from '../../domain/messages.ts';
import { ProblemError, stated } from '../../domain/problem.ts';
import type { Lookup } from '../../store/tenant.ts';

/** Returns a found record; another organization's is 403 on both surfaces, an unknown one 404 (contract «Errors», interpretation 38). */
export function requireFound<Row>(found: Lookup<Row>, what: string): Row {
  switch (found.kind) {
    case 'found':
      return found.row;
    case 'foreign':
      throw new ProblemError({ kind: 'forbidden', ...stated(say('foreign', { record: what })) });
    case 'missing':
      throw new ProblemError({ kind: 'missing', ...stated(say('not_found', { record: what })) });
  }
}

/** Throws a 403 for a record that is not the actor's own, when the permission covers only those. */
export function requireOwn(isOwn: boolean, what: string): void {
  if (!isOwn) throw new ProblemError({ kind: 'forbidden', ...stated(say('not_yours', { record: what })) });
}
