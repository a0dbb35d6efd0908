import type { JsonSchema } from '../schema/schema.ts';
import { collectionShape, documentShape, moment } from '../schema/shapes.ts';

/** The shapes of a record and of a page of such records, whose members show all of it. */
export function recordShapes(
  type: string,
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[],
): { readonly record: JsonSchema; readonly collection: JsonSchema } {
  const dates = { createdAt: moment, updatedAt: moment };
  const all = [...required, ...Object.keys(dates)];
  return {
    record: documentShape(type, properties, all),
    collection: collectionShape(
      `${type}Collection`,
      documentShape(`${type}Member`, { ...properties, ...dates }, all, { isMember: true }),
    ),
  };
}
