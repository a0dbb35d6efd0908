import type { Evidence, ReceivedPost, StoredEvent } from './evidence.ts';
import type { Violation } from './history.ts';

const FINAL = ['delivered', 'rejected', 'dead', 'skipped'];

/**
 * Checks the notifications of the shipments that have webhooks: one event for each transition in the timeline, in a final
 * state that the receiver's record agrees with, posted at most `maximumPosts` times with the stored bytes and a valid
 * signature.
 */
export function checkWebhooks(evidence: Evidence, maximumPosts: number): readonly Violation[] {
  const posts = groupBy(evidence.posts, ({ eventId }) => eventId);
  const known = new Set(evidence.events.map(({ id }) => id));
  return [
    ...transitionsWithoutEvent(evidence),
    ...evidence.events.flatMap((event) => eventFaults(event, posts.get(event.id) ?? [], maximumPosts)),
    ...[...posts.keys()]
      .filter((id) => !known.has(id))
      .map((id) => ({
        property: 'webhooks',
        shipmentId: null,
        evidence: `event ${id} was posted and is not stored`,
      })),
  ];
}

function transitionsWithoutEvent({ timeline, events }: Evidence): readonly Violation[] {
  const counts = groupBy(events, ({ shipmentId, sequence }) => `${shipmentId} ${sequence}`);
  return timeline.flatMap(({ shipmentId, sequence, kind, recordedAt }) => {
    const found = counts.get(`${shipmentId} ${sequence}`) ?? [];
    const expected = kind === 'transition' ? 1 : 0;
    const isSame =
      found.length === expected && found.every(({ updatedAt }) => sameMoment(updatedAt, recordedAt));
    if (isSame) return [];
    const line = `timeline entry ${sequence} (${kind}) at ${recordedAt} has ${found.length} events: ${found.map(({ updatedAt }) => updatedAt).join(', ')}`;
    return [{ property: 'one event for each transition', shipmentId, evidence: line }];
  });
}

function eventFaults(
  event: StoredEvent,
  posts: readonly ReceivedPost[],
  maximumPosts: number,
): readonly Violation[] {
  const { id, shipmentId, status } = event;
  const answers = posts.map(({ answer }) => answer ?? 'none').join(', ');
  const fault = (line: string) => ({
    property: 'webhooks',
    shipmentId,
    evidence: `event ${id} (${status}), answered with ${answers || 'nothing, it was not posted'}: ${line}`,
  });
  const rules: readonly (readonly [isKept: boolean, line: string])[] = [
    [FINAL.includes(status), 'it is not in a final state'],
    [posts.length <= maximumPosts, `it was posted ${posts.length} times, allowed are ${maximumPosts}`],
    [posts.every(({ body }) => body === event.body), 'the posted bytes differ from the stored ones'],
    [posts.every(({ hasValidSignature }) => hasValidSignature), 'a signature is not valid'],
    [
      status !== 'delivered' || posts.some(({ answer }) => isWithin(answer, 200, 299)),
      'no post was answered with 2xx',
    ],
    [
      status !== 'rejected' || posts.some(({ answer }) => isWithin(answer, 300, 499)),
      'no post was answered with 3xx or 4xx',
    ],
    [
      !posts.slice(0, -1).some(({ answer }) => isWithin(answer, 300, 499)),
      'it was posted again after 3xx or 4xx',
    ],
    [
      event.body.includes(`"updatedAt":"${event.updatedAt}"`),
      'its bytes carry another updatedAt than is stored',
    ],
  ];
  return rules.flatMap(([isKept, line]) => (isKept ? [] : [fault(line)]));
}

function isWithin(answer: number | null, least: number, most: number): boolean {
  return answer !== null && answer >= least && answer <= most;
}

/** The same microsecond, whichever way the offset is written. */
function sameMoment(one: string, other: string): boolean {
  const digits = (moment: string) => moment.replace(/(?:Z|\+00(?::?00)?)$/, '').replace('T', ' ');
  return digits(one) === digits(other);
}

function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}
