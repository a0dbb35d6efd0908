import bodyParser from 'koa-bodyparser';
import type { Context } from 'koa';
import type { Problem } from '../../domain/problem.ts';
import { Refusal } from '../../domain/problem.ts';
import { contentTypeProblem, JSON_TYPE, LD_JSON, MERGE_PATCH } from './media-types.ts';
import { MAX_FILE_BYTES } from '../shipments/import/limits.ts';
import type { RouteRow, SentBody } from './route.ts';
import { readUpload } from './upload.ts';

const MAXIMUM_BODY = '1mb';
/** Deeper bodies than this have no meaning here, and would exhaust whoever walks them. */
const MAXIMUM_DEPTH = 32;

const parse = bodyParser({
  enableTypes: ['json'],
  extendTypes: { json: [LD_JSON, MERGE_PATCH, JSON_TYPE] },
  jsonLimit: MAXIMUM_BODY,
  strict: true,
  onerror: (error, context) => {
    // RFC 9110 section 15.5.16: a refused coding is answered with those that are taken.
    if (isUnknownCoding(error)) context.set('accept-encoding', CODINGS);
    throw new Refusal(refusalOf(error));
  },
});
const CODINGS = 'gzip, deflate, br';

function isUnknownCoding(error: Error): boolean {
  return 'status' in error && error.status === 415;
}

function refusalOf(error: Error): Problem {
  if ('type' in error && error.type === 'entity.too.large') {
    return { kind: 'too_large', detail: 'The body is larger than 1 MB.' };
  }
  if (isUnknownCoding(error)) {
    return {
      kind: 'unsupported_media_type',
      detail: 'This Content-Encoding is not taken here; send the body plain, or as gzip, deflate or br.',
    };
  }
  if (error.message === POISONED) {
    return { kind: 'malformed', detail: 'The JSON object has a key __proto__; remove it.' };
  }
  return { kind: 'malformed', detail: 'The body is no JSON object.' };
}
/** How the parser refuses a key that would change an object's prototype. */
const POISONED = 'Object contains forbidden prototype property';

/** The content types that an operation takes: its own, else those of its surface (contract «Content types»). */
export function consumedTypes(row: Pick<RouteRow, 'consumes' | 'method' | 'surface'>): readonly string[] {
  if (row.consumes !== undefined) return row.consumes;
  if (row.surface !== 'dashboard') return [JSON_TYPE];
  return row.method === 'PATCH' ? [MERGE_PATCH] : [LD_JSON, JSON_TYPE];
}

/**
 * Reads a JSON body or an upload, after its content type. Throws Refusals: 415 for another type, 413 above 1 MB (an
 * upload: 5 MB), 400 for what is no JSON object. A route without a body reads nothing, whatever was sent.
 */
export async function readBody(context: Context, row: RouteRow): Promise<SentBody> {
  const isJson = consumedTypes(row).some((type) => type.endsWith('json'));
  if (row.bodyJson === null) return { body: undefined, rawBody: '' };
  const problem = contentTypeProblem(context.headers['content-type'], consumedTypes(row));
  if (problem !== undefined) throw new Refusal(problem);
  if (!isJson) return readUpload(context, MAX_FILE_BYTES);
  await parse(context, () => Promise.resolve());
  const body: unknown = context.request.body;
  const sent: unknown = context.request.rawBody;
  const rawBody = typeof sent === 'string' ? sent : '';
  if (rawBody.trim() === '')
    throw new Refusal({ kind: 'malformed', detail: 'The body is empty; send a JSON object.' });
  if (Array.isArray(body)) throw new Refusal({ kind: 'malformed', detail: 'The body is no JSON object.' });
  if (isTooDeep(body, MAXIMUM_DEPTH)) {
    throw new Refusal({
      kind: 'malformed',
      detail: `The body is nested deeper than ${MAXIMUM_DEPTH} levels.`,
    });
  }
  return { body, rawBody };
}

function isTooDeep(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  return Object.values(value).some((part: unknown) => isTooDeep(part, levels - 1));
}
