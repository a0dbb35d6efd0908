import { parseId } from './ids.ts';
import type { Id } from './ids.ts';

/** The version prefix of every path (contract «Versioning»). */
export const API_PREFIX = '/api/v1';

/**
 * Resource kinds and the path segment of their collection. `alias` is a spelling that is read but
 * never written: the contract shows both for pickup points (interpretation 28).
 */
const COLLECTIONS = {
  shipment: { segment: 'shipments' },
  task: { segment: 'tasks' },
  delivery_run: { segment: 'delivery-runs', alias: 'delivery_runs' },
  driver: { segment: 'drivers' },
  zone: { segment: 'zones' },
  pickup_point: { segment: 'pickup-points', alias: 'pickup_points' },
  merchant: { segment: 'merchants' },
  organization: { segment: 'organizations' },
  user: { segment: 'users' },
  command: { segment: 'commands' },
  import: { segment: 'imports' },
  webhook_event: { segment: 'webhook-deliveries' },
  session: { segment: 'sessions' },
  audit_event: { segment: 'audit-events' },
} as const satisfies Record<string, { readonly segment: string; readonly alias?: string }>;

export type ResourceKind = keyof typeof COLLECTIONS;
const KINDS = Object.keys(COLLECTIONS).filter((name): name is ResourceKind => name in COLLECTIONS);

/** `/api/v1/shipments`, the collection's own address. */
export function collectionPath(kind: ResourceKind): string {
  return `${API_PREFIX}/${COLLECTIONS[kind].segment}`;
}

/** `/api/v1/shipments/<id>`, the `@id` of a record. */
export function iriOf<Kind extends ResourceKind>(kind: Kind, id: Id<Kind>): string {
  return `${collectionPath(kind)}/${id}`;
}

/** Reads an IRI of one kind of resource; undefined for another resource, a bare id or a malformed one. */
export function parseIri<Kind extends ResourceKind>(kind: Kind, iri: string): Id<Kind> | undefined {
  const collection: { readonly segment: string; readonly alias?: string } = COLLECTIONS[kind];
  const separator = iri.lastIndexOf('/');
  const path = iri.slice(0, separator);
  const spellings = [collection.segment, collection.alias ?? collection.segment];
  if (!spellings.some((segment) => path === `${API_PREFIX}/${segment}`)) return undefined;
  return parseId<Kind>(iri.slice(separator + 1));
}

const UUID_SOURCE = '[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}';

/** The form of the IRIs of one kind, in either spelling, for schemas; with `bare`, the id alone fits too. */
export function iriPattern(kind: ResourceKind, bare = false): string {
  const { segment, alias }: { readonly segment: string; readonly alias?: string } = COLLECTIONS[kind];
  const spelled = alias === undefined ? segment : `(?:${segment}|${alias})`;
  const prefix = `${API_PREFIX}/${spelled}/`;
  return `^${bare ? `(?:${prefix})?` : prefix}${UUID_SOURCE}$`;
}

/** Reads an IRI or a bare id, where both are accepted (interpretation 29). */
export function parseReference<Kind extends ResourceKind>(kind: Kind, text: string): Id<Kind> | undefined {
  return parseIri(kind, text) ?? parseId<Kind>(text);
}

/** Whether a text, an IRI in either spelling or a bare id, names the record that an IRI of ours names. */
export function namesRecord(iri: string, text: string): boolean {
  return KINDS.some((kind) => {
    const id = parseIri(kind, iri);
    return id !== undefined && parseReference(kind, text) === id;
  });
}
