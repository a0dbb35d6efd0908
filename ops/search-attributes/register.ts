import { setTimeout as delay } from 'node:timers/promises';
import type { ConnectionLike } from '@temporalio/client';
import { SEARCH_ATTRIBUTES } from '../../workflows/messages.ts';

/** Temporal's numbers of the types (`IndexedValueType` of its API) that the service uses. */
const TYPE_NUMBERS = { KEYWORD: 2, BOOL: 5 } as const;
const WANTED = Object.fromEntries(
  Object.values(SEARCH_ATTRIBUTES).map(({ name, type }) => [name, TYPE_NUMBERS[type]]),
);

const CALL_TIMEOUT_MS = 10_000;
/** Two refreshes of a cluster's list of namespaces. */
const NAMESPACE_TIMEOUT_MS = 20_000;
const LISTED_TIMEOUT_MS = 60_000;
const LISTED_INTERVAL_MS = 200;

/** The part of a Temporal client that this needs. */
export interface Cluster {
  readonly connection: Pick<ConnectionLike, 'operatorService' | 'withDeadline'>;
  readonly namespace: string;
}

/**
 * Registers the service's search attributes (workflows/messages.ts) in a namespace and waits until the cluster lists
 * them. Resolves with the names added; none when all were there, so it may be repeated and run twice concurrently. Throws
 * when one exists with another type, when the cluster cannot be reached, when there is no such namespace for twenty
 * seconds, and after a minute without a listing.
 */
export async function registerSearchAttributes(cluster: Cluster): Promise<readonly string[]> {
  const missing = missingFrom(await listedSoon(cluster));
  if (missing.length === 0) return [];
  await add(cluster, missing);
  const deadline = performance.now() + LISTED_TIMEOUT_MS;
  while (missingFrom(await listed(cluster)).length > 0) {
    if (performance.now() > deadline)
      throw new Error(`not listed within ${LISTED_TIMEOUT_MS / 1000} s; run this command again`);
    await delay(LISTED_INTERVAL_MS);
  }
  return missing;
}

function missingFrom(present: Readonly<Record<string, number>>): readonly string[] {
  return Object.keys(WANTED).filter((name) => {
    const type = present[name];
    if (type === undefined) return true;
    if (type === WANTED[name]) return false;
    throw new Error(
      `the search attribute ${name} exists with another type: remove it from the namespace first (\`temporal operator search-attribute remove\`)`,
    );
  });
}

/** A namespace that was made a moment ago is unknown to some parts of the cluster until they look again. */
async function listedSoon(cluster: Cluster): Promise<Readonly<Record<string, number>>> {
  const deadline = performance.now() + NAMESPACE_TIMEOUT_MS;
  for (;;) {
    try {
      return await listed(cluster);
    } catch (error) {
      const isUnknown = error instanceof Error && error.message.includes('NOT_FOUND');
      if (!isUnknown || performance.now() > deadline) throw error;
    }
    await delay(LISTED_INTERVAL_MS);
  }
}

async function listed({ connection, namespace }: Cluster): Promise<Readonly<Record<string, number>>> {
  const answer = await connection.withDeadline(Date.now() + CALL_TIMEOUT_MS, () =>
    connection.operatorService.listSearchAttributes({ namespace }),
  );
  return answer.customAttributes;
}

async function add({ connection, namespace }: Cluster, names: readonly string[]): Promise<void> {
  const searchAttributes = Object.fromEntries(names.map((name) => [name, WANTED[name] ?? 0]));
  try {
    await connection.withDeadline(Date.now() + CALL_TIMEOUT_MS, () =>
      connection.operatorService.addSearchAttributes({ namespace, searchAttributes }),
    );
  } catch (error) {
    // Another process was quicker; the listing shows what it did not add.
    if (!(error instanceof Error && error.message.includes('ALREADY_EXISTS'))) throw error;
  }
}
