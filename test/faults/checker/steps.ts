import type { Action, Operation, Seen, ShipmentHistory } from './history.ts';
import { acceptance, decisiveExchange, isRead } from './history.ts';

/** Something that took effect, or was looked at, at one moment between `startMs` and `endMs`. */
export interface Step {
  readonly name: string;
  readonly action: Action | { readonly kind: 'create' };
  readonly startMs: number;
  /** Infinity: the client does not know whether or when it took effect. */
  readonly endMs: number;
  /** When the client saw that its command was accepted; Infinity where it did not. */
  readonly acceptedMs: number;
  /** `gone` is 404 on a deleted shipment; `unknown` may have taken effect or not. */
  readonly outcome: 'applied' | 'rejected' | 'gone' | 'unknown';
  readonly seen: Seen | null;
  /** The step of the same response that comes before this one: the read after a write. */
  readonly after: number | null;
}

/** The steps of a shipment's history. Operations that say nothing (a read without a response) have none. */
export function stepsOf({ beginning, operations }: ShipmentHistory): readonly Step[] {
  const steps: Step[] = [];
  if (beginning.status === 'absent') steps.push(CREATION);
  for (const operation of operations) {
    const step = isRead(operation.action) ? readStep(operation) : writeStep(operation);
    if (step === undefined) continue;
    steps.push(step);
    const read = readAfter(operation, step, steps.length - 1);
    if (read !== undefined) steps.push(read);
  }
  return steps;
}

/** Whether `earlier` took effect before `later`: by real time, or as an older accepted command. */
export function precedes(earlier: Step, later: Step): boolean {
  if (earlier.endMs < later.startMs) return true;
  return later.acceptedMs < Infinity && earlier.acceptedMs < later.startMs;
}

/** The creation of an accepted external request: some time, unless something shows that it has happened. */
const CREATION: Step = {
  name: 'create',
  action: { kind: 'create' },
  ...{ startMs: -Infinity, endMs: Infinity, acceptedMs: Infinity },
  outcome: 'unknown',
  seen: null,
  after: null,
};

function readStep(operation: Operation): Step | undefined {
  const exchange = decisiveExchange(operation);
  if (exchange?.verdict !== 'applied' && exchange?.verdict !== 'gone') return undefined;
  return {
    ...baseOf(operation),
    startMs: exchange.sentAtMs,
    endMs: exchange.endedAtMs,
    acceptedMs: Infinity,
    outcome: exchange.verdict,
    seen: exchange.seen,
    after: null,
  };
}

function writeStep(operation: Operation): Step | undefined {
  const decisive = decisiveExchange(operation);
  const acceptedMs = acceptance(operation)?.endedAtMs ?? Infinity;
  const base = { ...baseOf(operation), acceptedMs, seen: null, after: null };
  switch (decisive?.verdict) {
    case undefined:
    case 'none':
      return { ...base, endMs: Infinity, outcome: 'unknown' };
    case 'accepted':
      return acceptedStep(operation, base);
    case 'applied':
    case 'gone':
      return { ...base, endMs: decisive.endedAtMs, outcome: decisive.verdict };
    case 'rejected':
      return { ...base, endMs: decisive.endedAtMs, outcome: 'rejected', seen: decisive.seen };
    case 'unexpected':
      // Reported by itself; what it did to the shipment is unknown.
      return { ...base, endMs: Infinity, outcome: 'unknown' };
  }
}

function acceptedStep({ resolution }: Operation, base: Omit<Step, 'endMs' | 'outcome'>): Step | undefined {
  if (resolution === null) return { ...base, endMs: Infinity, outcome: 'unknown' };
  // A command that was set aside has had no effect; that it was set aside is another property's matter.
  if (resolution.status === 'failed') return undefined;
  return { ...base, endMs: resolution.atMs, outcome: resolution.status };
}

/** The task or shipment that a successful response shows was read after the command was applied, perhaps later. */
function readAfter(operation: Operation, write: Step, index: number): Step | undefined {
  const exchange = decisiveExchange(operation);
  if (isRead(operation.action) || write.outcome !== 'applied') return undefined;
  if (exchange?.verdict !== 'applied' || exchange.seen === null) return undefined;
  const { action } = operation;
  const task = action.kind === 'transition' ? action.task : exchange.seen.addedTask;
  return {
    ...write,
    name: `${write.name} (response)`,
    action: task === undefined ? { kind: 'read_shipment' } : { kind: 'read_task', task },
    acceptedMs: Infinity,
    seen: exchange.seen,
    after: index,
  };
}

function baseOf({ id, action, exchanges }: Operation) {
  const words = action.kind === 'transition' ? `${action.transition} of task ${action.task}` : action.kind;
  return { name: `${words} [${id}]`, action, startMs: exchanges[0]?.sentAtMs ?? -Infinity };
}
