import { randomUUID } from 'node:crypto';
import type { Id } from '../domain/ids.ts';
import { toId } from '../domain/ids.ts';

/** A fresh random id (RFC 9562, version 4) for a record of the kind that the caller's type names. */
export function newId<Kind extends string>(): Id<Kind> {
  return toId<Kind>(randomUUID());
}
