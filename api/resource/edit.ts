import { isDeepStrictEqual } from 'node:util';
import type { ResourceKind } from '../../domain/iri.ts';
import type { Id } from '../../domain/ids.ts';
import type { Action } from '../../domain/permission.ts';
import type { Violation } from '../../domain/problem.ts';
import { changedMeanwhile, isSameEditable, requireUnedited } from '../http/preconditions.ts';
import { requireFound } from '../http/require-found.ts';
import type {
  LoadedRequest,
  ResponseDoc,
  RouteDefinition,
  RouteRequest,
  RouteResponse,
} from '../http/route.ts';
import { dashboardRoute } from '../http/route.ts';
import type { Document } from '../hydra/resource.ts';
import { checkedBody } from '../schema/checked-body.ts';
import { isJsonObject, propertyNames } from '../schema/json-schema.ts';
import {
  MERGE_PATCH_BODY,
  mergePatch,
  parsePatch,
  patchJson,
  withoutEmptyTexts,
} from '../schema/merge-patch.ts';
import type { JsonSchema, Schema } from '../schema/schema.ts';
import type { Resource } from './resource.ts';
import { infoOf } from './resource.ts';

/** A PATCH, whose body is a merge patch (RFC 7396) of the record that the path names. */
export type PatchRequest<Row> = LoadedRequest<Row, Document>;

/** Finds violations that no schema sees, in the valid fields of what `row` would become. */
export type RecordCheck<Body, Row> = (
  request: RouteRequest,
  body: Partial<Body>,
  row: Row,
) => readonly Violation[] | Promise<readonly Violation[]>;

/** What a record may become. */
export interface Editing<Row, Body> {
  /** What a PATCH must come to. */
  readonly schema: Schema<Body>;
  /** What to do instead of setting a field that is shown and read-only; others are rejected without a hint. */
  readonly hints?: Readonly<Record<string, string>>;
  /** Shown in answers, but not part of the record: ignored when it is sent back. */
  readonly ignored?: readonly string[];
  readonly check?: RecordCheck<Body, Row>;
}

/** What a write of a resource says in words. */
export interface EditWords {
  readonly action: Action;
  readonly summary?: string;
  readonly description?: string;
  readonly otherAnswers?: Readonly<Record<number, ResponseDoc>>;
}

/**
 * Reads the request's merge patch of a record that is shown as `document`. `changed` names the fields that it changes: an edit
 * that changes nothing writes nothing, so that the version only grows with changes. Throws a 422 with every
 * violation.
 */
export async function revise<Row, Body>(
  request: PatchRequest<unknown>,
  { shape, schema, hints = {}, ignored = [], check }: Editing<Row, Body> & { readonly shape: JsonSchema },
  row: Row,
  document: Document,
): Promise<{ readonly body: Body; readonly changed: readonly string[] }> {
  const names = propertyNames(shape).filter((name) => name !== '@context' && !ignored.includes(name));
  const merged = mergePatch(document, request.body);
  const parsed = parsePatch({ document, patch: request.body, merged }, schema, { shape, names, hints });
  const body = await checkedBody(parsed, (valid) => check?.(request, valid, row) ?? []);
  // Here read-only values are known to be unchanged, and no unknown one is kept.
  const kept = withoutEmptyTexts(merged);
  const after = isJsonObject(kept) ? kept : {};
  const changed = propertyNames(schema.json).filter(
    (name) => !isDeepStrictEqual(after[name], document[name]),
  );
  return { body, changed };
}

/** The route that edits one record by a merge patch; `handle` does it. */
export function patchRoute<Kind extends ResourceKind, Row, Body>(
  resource: Resource<Kind, Row> & Editing<Row, Body>,
  { otherAnswers, ...words }: EditWords,
  handle: (request: PatchRequest<Row>) => Promise<RouteResponse>,
): RouteDefinition {
  return dashboardRoute({
    summary: `Modify a ${resource.one}`,
    ...words,
    ...infoOf(resource, 'edit'),
    method: 'PATCH',
    isConditional: true,
    documentedBody: patchJson(resource.schema),
    answers: {
      200: { description: `The modified ${resource.one}.`, schema: resource.shape, headers: ['ETag'] },
      ...otherAnswers,
    },
    body: MERGE_PATCH_BODY,
    load: resource.load,
    currentTag: resource.currentTag,
    handle,
  });
}

/** How often a write is tried over what keeps changing next to the parts that it edits. */
const MAXIMUM_TRIES = 5;

/**
 * The same where a record is written over the version that the edit was made on. Where the row has another version by then, it is
 * a 409, or a 412 with `If-Match`, if a part that can be edited has changed; else the edit is made again.
 */
export function editRoute<Kind extends ResourceKind, Row extends { readonly id: Id<Kind> }, Body>(
  resource: Resource<Kind, Row> &
    Editing<Row, Body> & {
      /** Throws the ProblemError of a record that can no longer be edited. */
      readonly requireEditable?: (row: Row) => void;
      /** Writes over the row's version, of which the `changed` fields differ; false when it has another one now. */
      readonly write: (
        request: RouteRequest,
        row: Row,
        body: Body,
        changed: readonly string[],
      ) => Promise<boolean>;
    },
  words: EditWords,
): RouteDefinition {
  const reread = async ({ scope }: RouteRequest, { id }: Row) =>
    requireFound(await resource.find(scope, id), resource.one);
  return patchRoute(resource, words, async (request) => {
    const { context, item } = request;
    const first = await resource.answer(request, item);
    await requireUnedited(context, () => first.etag);
    let [row, current] = [item, first];
    for (let tries = 0; tries < MAXIMUM_TRIES && isSameEditable(first.etag, current.etag); tries += 1) {
      resource.requireEditable?.(row);
      const { body, changed } = await revise(request, resource, row, current.body);
      if (changed.length === 0) return current;
      const isWritten = await resource.write(request, row, body, changed);
      row = await reread(request, row);
      current = await resource.answer(request, row);
      if (isWritten) return current;
    }
    throw changedMeanwhile(context, resource.one);
  });
}
