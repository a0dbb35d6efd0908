import { compareMoments, faultsOfNotification } from './contract.ts';
import { textAt } from './reading.ts';
import type { ExpectedNotification } from './plan.ts';

/** How the receiver reacted to one request. */
export type Reaction =
  | { readonly kind: 'answer'; readonly status: number }
  /** The time runs out. */
  | { readonly kind: 'silence' }
  /** The connection breaks. */
  | { readonly kind: 'hang_up' };

/** A notification as it arrived: one request of perhaps several about the same change. */
export interface Arrival {
  readonly shipmentId: string;
  readonly trackingNumber: string;
  readonly taskType: string;
  readonly taskStatus: string;
  readonly status: string;
  readonly driverName: string;
  readonly updatedAt: string;
  /** What the contract de-duplicates by: shipmentId + taskStatus + updatedAt. */
  readonly key: string;
  readonly bytes: Buffer;
  /** 1 for the first request with this key. */
  readonly attempt: number;
  readonly reaction: Reaction;
  readonly receivedAtMs: number;
}

/** All requests about one change, in the order of arrival. */
export type Change = readonly [Arrival, ...Arrival[]];

/** How a change ended, by the receiver's own answers. */
export type Outcome = 'delivered' | 'rejected' | 'dead' | 'open';

/** Keeps what a receiver got, and puts requests about the same change together as the contract advises. */
export class Mailbox {
  readonly #changes = new Map<string, [Arrival, ...Arrival[]]>();
  readonly #reopened = new Set<string>();
  readonly #maxAttempts: number;

  /** `maxAttempts` is the contract's 3. */
  constructor(maxAttempts: number) {
    this.#maxAttempts = maxAttempts;
  }

  /** How often a change with this key has arrived. */
  attemptsOf(key: string): number {
    return this.#changes.get(key)?.length ?? 0;
  }

  /** Expects a change once more although its attempts are used up: somebody asked for it. */
  reopen(key: string): void {
    this.#reopened.add(key);
  }

  /** Whether a change that was reopened has been taken. */
  isTakenAgain(shipmentId: string): boolean {
    return this.changesOf(shipmentId).some(
      (change) => this.#reopened.has(change[0].key) && this.outcomeOf(change) === 'delivered',
    );
  }

  /** Keeps an arrival; returns what is wrong with it: its form, or bytes that differ from those of an earlier attempt. */
  add(arrival: Arrival): readonly string[] {
    const earlier = this.#changes.get(arrival.key);
    if (earlier === undefined) {
      this.#changes.set(arrival.key, [arrival]);
      return [];
    }
    earlier.push(arrival);
    return [
      ...(earlier[0].bytes.equals(arrival.bytes) ? [] : ['a repetition has other bytes than the first']),
      ...(earlier.length > this.#maxAttempts && !this.#reopened.has(arrival.key)
        ? [`attempt ${earlier.length} of a change`]
        : []),
    ];
  }

  /** The changes of a shipment by `updatedAt`, as the contract advises, and not by arrival. */
  changesOf(shipmentId: string): readonly Change[] {
    return [...this.#changes.values()]
      .filter(([first]) => first.shipmentId === shipmentId)
      .sort(([left], [right]) => compareMoments(left.updatedAt, right.updatedAt));
  }

  /** How a change ended: 2xx is success, 3xx and 4xx are final, the rest is tried until the attempts are used up. */
  outcomeOf(change: Change): Outcome {
    const last = change[change.length - 1]?.reaction ?? change[0].reaction;
    if (last.kind === 'answer' && last.status < 300) return 'delivered';
    if (last.kind === 'answer' && last.status < 500) return 'rejected';
    return change.length >= this.#maxAttempts ? 'dead' : 'open';
  }
}

/** Reads a request's body into an arrival, with the faults of its form. Undefined where it is no JSON. */
export function readArrival(
  bytes: Buffer,
  more: Pick<Arrival, 'attempt' | 'reaction' | 'receivedAtMs'>,
): { readonly arrival: Arrival; readonly faults: readonly string[] } | undefined {
  let body: unknown;
  try {
    body = JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
  const arrival = {
    shipmentId: textAt(body, 'shipmentId'),
    trackingNumber: textAt(body, 'trackingNumber'),
    taskType: textAt(body, 'taskType'),
    taskStatus: textAt(body, 'taskStatus'),
    status: textAt(body, 'status'),
    driverName: textAt(body, 'driverName'),
    updatedAt: textAt(body, 'updatedAt'),
    key: keyOf(body),
    bytes,
    ...more,
  };
  return { arrival, faults: faultsOfNotification(body) };
}

function keyOf(body: unknown): string {
  return ['shipmentId', 'taskStatus', 'updatedAt'].map((name) => textAt(body, name)).join(' ');
}

/**
 * Compares what arrived for a shipment with what its steps had to cause: the same changes, in the order of `updatedAt`,
 * which strictly increases. Returns the differences.
 */
export function differencesOf(
  changes: readonly Change[],
  expected: readonly ExpectedNotification[],
): readonly string[] {
  const words = (list: readonly ExpectedNotification[]): readonly string[] =>
    list.map(({ taskType, taskStatus, status }) => `${taskType} ${taskStatus} → ${status}`);
  const found = words(changes.map(([first]) => first));
  const wanted = words(expected);
  const differences =
    found.join('; ') === wanted.join('; ') ? [] : [`expected ${wanted.join('; ')}; got ${found.join('; ')}`];
  const moments = changes.map(([first]) => first.updatedAt);
  const stalls = moments.some(
    (moment, index) => index > 0 && compareMoments(moments[index - 1] ?? '', moment) >= 0,
  );
  return stalls ? [...differences, `updatedAt does not increase: ${moments.join(', ')}`] : differences;
}
