import { v7 } from 'uuid';
import type { Id } from '../domain/ids.ts';
import { toId } from '../domain/ids.ts';

/**
 * A fresh id (RFC 9562, version 7) for a record of the kind that the caller's type names. It begins with its time, so that
 * new rows lie together in an index. Ids of several processes have no order that may be relied on.
 */
export function newId<Kind extends string>(): Id<Kind> {
  return toId<Kind>(v7());
}
