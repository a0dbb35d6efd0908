import type { Transition } from '../../../domain/enumerations.ts';
import type { ProblemDocument } from '../../shared/problem.ts';
import type { Iri } from './rows.ts';

/** What was asked of a task, and why the service decided against it. */
export interface Rejection {
  readonly transition: Transition | 'order';
  readonly driver?: Iri | undefined;
  /** Undefined where another task of the shipment was rejected, and this one was not tried. */
  readonly problem: ProblemDocument | undefined;
}
