import type { ConnectionLike } from '@temporalio/client';
import { loadTemporalConfig } from '../platform/config.ts';
import { SEARCH_ATTRIBUTES } from '../workflows/messages.ts';
import type { Command } from './command-line.ts';
import { CommandError, untilClear, withTemporal } from './command-line.ts';

/** Temporal's numbers of the types (`IndexedValueType` of its API) that the service uses. */
const TYPE_NUMBERS = { KEYWORD: 2, BOOL: 5 } as const;
const WANTED = Object.fromEntries(
  Object.values(SEARCH_ATTRIBUTES).map(({ name, type }) => [name, TYPE_NUMBERS[type]]),
);

const CALL_TIMEOUT_MS = 10_000;
/** Two refreshes of a cluster's list of namespaces. */
const NAMESPACE_TIMEOUT_MS = 20_000;
const LISTED_TIMEOUT_MS = 60_000;

/**
 * Registers on the cluster of TEMPORAL_ADDRESS, in TEMPORAL_NAMESPACE, what ops look shipments up by. Temporal Cloud has a
 * command of its own for it (docs/deployment.md).
 */
export const command: Command = {
  failure: 'No search attribute was registered',
  run: ({ environment, print }) => {
    const settings = loadTemporalConfig(environment);
    const { namespace } = settings;
    return withTemporal(settings, async ({ connection }) => {
      const added = await registerSearchAttributes({ connection, namespace });
      print(
        added.length === 0
          ? `The namespace ${namespace} has every search attribute.`
          : `Registered in the namespace ${namespace}: ${added.join(', ')}`,
      );
      return 0;
    });
  },
};

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
  let missing: readonly string[] = [];
  // A namespace that was made a moment ago is unknown to some parts of the cluster until they look again.
  await untilClear(NAMESPACE_TIMEOUT_MS, async () => {
    try {
      missing = missingFrom(await listed(cluster));
      return undefined;
    } catch (error) {
      if (error instanceof Error && error.message.includes('NOT_FOUND')) return error.message;
      throw error;
    }
  });
  if (missing.length === 0) return [];
  await add(cluster, missing);
  await untilClear(LISTED_TIMEOUT_MS, async () =>
    missingFrom(await listed(cluster)).length === 0
      ? undefined
      : `The search attributes were not listed within ${LISTED_TIMEOUT_MS / 1000} s; run this command again.`,
  );
  return missing;
}

function missingFrom(present: Readonly<Record<string, number>>): readonly string[] {
  return Object.keys(WANTED).filter((name) => {
    const type = present[name];
    if (type === undefined) return true;
    if (type === WANTED[name]) return false;
    throw new CommandError(
      `The search attribute ${name} exists with another type: remove it from the namespace first (\`temporal operator search-attribute remove\`).`,
    );
  });
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
