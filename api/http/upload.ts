import { Busboy } from '@fastify/busboy';
import { createHash } from 'node:crypto';
import Joi from 'joi';
import type { Context } from 'koa';
import { shownFileName } from '../../domain/import-record.ts';
import { say } from '../../domain/messages.ts';
import { invalid, ProblemError, stated } from '../../domain/problem.ts';
import { REQUEST_LIMITS } from '../../domain/request-limits.ts';
import type { SentBody } from './route.ts';
import { propertyNames, withoutNull } from '../schema/json-schema.ts';
import type { JsonSchema, Schema } from '../schema/schema.ts';
import { schemaOf } from '../schema/schema.ts';
import type { Field, ObjectOf } from '../schema/schema-objects.ts';
import { objectJoi, optional, required } from '../schema/schema-objects.ts';

/** The form's field with the file (contract «Import result»). */
const FIELD = 'file';
/** The file's name in the body that was read: it stands in the form's frame, and in no field. */
const NAME = 'fileName';

/** A file: its bytes have been read and measured before. */
const FILE = required(
  schemaOf(Joi.binary<Buffer>(), { type: 'string', format: 'binary', description: 'An XLSX workbook.' }),
);

const FILE_NAME = optional(schemaOf(Joi.string<string>(), { type: 'string' }));

/** The file of an upload, and its name as it may be shown; null for one without. */
interface UploadedFile {
  readonly [FIELD]: Buffer;
  readonly [NAME]: string | null;
}

/** The body of an upload: the file, and other fields of the form, which are optional. */
export function uploadOf<F extends Readonly<Record<string, Field<unknown>>>>(
  others: F,
): Schema<ObjectOf<F> & UploadedFile> {
  const joi = objectJoi<ObjectOf<F> & UploadedFile>({ [FIELD]: FILE, [NAME]: FILE_NAME, ...others });
  // A form has no null.
  const properties = Object.entries(others).map(([name, { json }]) => [name, withoutNull(json)] as const);
  return schemaOf(joi, {
    title: 'Upload',
    type: 'object',
    properties: { [FIELD]: FILE.json, ...Object.fromEntries(properties) },
    required: [FIELD],
  });
}

/**
 * Reads a multipart form with exactly one file in the field `file`, and those of the other fields that `json` names; an empty
 * one is not given. Throws Refusals: 413 for a file above `maximumBytes` and for a form that exceeds it by more than
 * `formFrameBytes`, 422 without the file, 400 for what is not a multipart form. `rawBody` is the fingerprint of what was read,
 * for Idempotency-Key.
 */
export function readUpload(context: Context, maximumBytes: number, json: JsonSchema): Promise<SentBody> {
  const known = propertyNames(json).filter((name) => name !== FIELD);
  const fields: Record<string, string> = {};
  const contentType = context.headers['content-type'] ?? '';
  checkBoundary(contentType);
  const form = formReader(contentType, maximumBytes);
  return new Promise((resolve, reject) => {
    let bytes: Buffer | undefined;
    let fileName: string | null = null;
    const fail = (error: ProblemError) => {
      context.req.unpipe(form);
      // The rest is read and thrown away, so that the client sees the answer rather than a broken pipe.
      context.req.resume();
      reject(error);
    };
    let receivedBytes = 0;
    context.req.on('data', (chunk: Buffer) => {
      receivedBytes += chunk.length;
      if (receivedBytes > maximumBytes + REQUEST_LIMITS.formFrameBytes) fail(formTooLarge());
    });
    form.on('file', (name, stream, sentName) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('limit', () =>
        fail(
          new ProblemError({
            kind: 'too_large',
            ...stated(say('file_too_large', { megabytes: maximumBytes / 1_048_576 })),
          }),
        ),
      );
      // A form that ends inside its file breaks the file's stream too; unheard, that would end the process.
      stream.on('error', () => fail(malformed()));
      stream.on('end', () => {
        if (name !== FIELD) return;
        bytes = Buffer.concat(chunks);
        fileName = shownFileName(sentName);
      });
    });
    form.on('field', (name, value) => {
      if (known.includes(name) && value !== '') fields[name] = value;
    });
    form.on('filesLimit', () => fail(new ProblemError(invalid(FIELD, say('one_file'), 'too_many'))));
    form.on('error', () => fail(malformed()));
    form.on('finish', () => {
      if (bytes === undefined) {
        fail(new ProblemError(invalid(FIELD, say('file_required'), 'required')));
        return;
      }
      // The same file under another name is the same request, so the fingerprint leaves the name out.
      resolve({
        body: { ...fields, [FIELD]: bytes, [NAME]: fileName },
        rawBody: fingerprintOf(bytes, fields),
      });
    });
    context.req.on('aborted', () => reject(malformed()));
    context.req.pipe(form);
  });
}

function fingerprintOf(bytes: Buffer, fields: Readonly<Record<string, string>>): string {
  const digest = createHash('sha256').update(bytes).digest('hex');
  return [digest, ...Object.entries(fields).map(([name, value]) => `${name}=${value}`)].sort().join('\n');
}

/** Refuses a form whose boundary is missing or longer than RFC 2046 section 5.1.1 allows. */
function checkBoundary(contentType: string): void {
  const [, quoted, bare] = /;\s*boundary=(?:"([^"]*)"|([^\s;"]*))/i.exec(contentType) ?? [];
  const boundary = quoted ?? bare ?? '';
  if (boundary === '') throw malformed();
  if (boundary.length <= REQUEST_LIMITS.boundaryCharacters) return;
  throw new ProblemError({
    kind: 'malformed',
    detail: `The boundary of the multipart form has more than ${REQUEST_LIMITS.boundaryCharacters} characters.`,
  });
}

/** The form's reader. Throws a 400 ProblemError where the content type is none that it can read. */
function formReader(contentType: string, maximumBytes: number): InstanceType<typeof Busboy> {
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      limits: { files: 1, fields: 10, parts: 12, fileSize: maximumBytes, headerPairs: 50 },
    });
  } catch {
    throw malformed();
  }
}

function formTooLarge(): ProblemError {
  return new ProblemError({
    kind: 'too_large',
    detail: 'The form is larger than the largest allowed file. Send only the file.',
  });
}

function malformed(): ProblemError {
  return new ProblemError({ kind: 'malformed', detail: 'The body must be a multipart form with a file.' });
}
