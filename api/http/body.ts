import bodyParser from 'koa-bodyparser';
import type { Context } from 'koa';
import type { Problem } from '../../domain/problem.ts';
import { ProblemError } from '../../domain/problem.ts';
import { contentTypeProblem, JSON_TYPE, LD_JSON, MERGE_PATCH } from './media-types.ts';
import { REQUEST_LIMITS } from '../../domain/request-limits.ts';
import { MAX_FILE_BYTES } from '../../spreadsheet/limits.ts';
import { withoutKeywords } from './json-ld-frame.ts';
import { readJsonObject } from './json-text.ts';
import type { RouteDefinition, SentBody } from './route.ts';
import { readUpload } from './upload.ts';

/** Reads the text alone: what is in it is counted before it is parsed (json-text.ts). */
const readText = bodyParser({
  enableTypes: ['text'],
  extendTypes: { text: [LD_JSON, MERGE_PATCH, JSON_TYPE] },
  textLimit: String(REQUEST_LIMITS.bodyBytes),
  onerror: (error, context) => {
    // RFC 9110 section 15.5.16: a rejected coding is answered with the accepted ones.
    if (isUnknownCoding(error)) context.set('accept-encoding', CODINGS);
    throw new ProblemError(bodyProblem(error));
  },
});
const CODINGS = 'gzip, deflate, br';

function isUnknownCoding(error: Error): boolean {
  return 'status' in error && error.status === 415;
}

function bodyProblem(error: Error): Problem {
  if ('type' in error && error.type === 'entity.too.large') {
    return { kind: 'too_large', detail: 'The body is larger than 1 MB.' };
  }
  if (isUnknownCoding(error)) {
    return {
      kind: 'unsupported_media_type',
      detail: 'Unsupported Content-Encoding; send the body uncompressed, or as gzip, deflate or br.',
    };
  }
  return { kind: 'malformed', detail: 'The body could not be read: it is incomplete or wrongly encoded.' };
}

function isOfType({ headers }: Context, type: string): boolean {
  return headers['content-type']?.toLowerCase().startsWith(type) === true;
}

/** The content types that an operation takes: its own, else those of its surface (contract «Content types»). */
export function consumedTypes(
  row: Pick<RouteDefinition, 'consumes' | 'method' | 'surface'>,
): readonly string[] {
  if (row.consumes !== undefined) return row.consumes;
  if (row.surface !== 'dashboard') return [JSON_TYPE, LD_JSON];
  return row.method === 'PATCH' ? [MERGE_PATCH] : [LD_JSON, JSON_TYPE];
}

/** What a body that may be left out is then. */
const LEFT_OUT: SentBody = { body: {}, rawBody: '' };

/** Whether a request has a body (RFC 9112 section 6.3), which then has to have a content type. */
function announcesBody({ headers }: Context): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/**
 * Reads a JSON body or an upload, after its content type. Throws Refusals: 415 for another type, 413 above 1 MB (an
 * upload: 5 MB) or too many values, 400 for text that is not a JSON object. A route without a body reads nothing, whatever was sent.
 */
export async function readBody(context: Context, row: RouteDefinition): Promise<SentBody> {
  const isJson = consumedTypes(row).some((type) => type.endsWith('json'));
  const { bodyJson, isBodyOptional = false } = row;
  if (bodyJson === null) return { body: undefined, rawBody: '' };
  if (isBodyOptional && !announcesBody(context)) return LEFT_OUT;
  const problem = contentTypeProblem(context.headers['content-type'], consumedTypes(row));
  if (problem !== undefined) throw new ProblemError(problem);
  if (!isJson) return readUpload(context, MAX_FILE_BYTES, bodyJson);
  await readText(context, () => Promise.resolve());
  const sent: unknown = context.request.rawBody;
  const rawBody = typeof sent === 'string' ? sent : '';
  if (rawBody.trim() === '') {
    if (isBodyOptional) return LEFT_OUT;
    throw new ProblemError({ kind: 'malformed', detail: 'The body is empty; send a JSON object.' });
  }
  const body = readJsonObject(rawBody);
  // The dashboard ignores what it does not know, and reads the `@id` of records that stand in a body.
  const hasKeywords = row.surface !== 'dashboard' && isOfType(context, LD_JSON);
  return { body: hasKeywords ? withoutKeywords(body) : body, rawBody };
}
