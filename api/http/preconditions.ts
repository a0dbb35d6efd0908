import type { Context } from 'koa';
import { ProblemError } from '../../domain/problem.ts';

/**
 * Honours `If-Match` (RFC 9110 section 13.1.1, interpretation 39): a tag that is not the current one is rejected with
 * 412, so that no client overwrites a change that it has not seen. Without the header nothing is checked. With a `version`,
 * tags of that version match too, whatever they say after its dash: no edit writes over that (a driver's position, say).
 */
export function requireMatch(context: Context, etag: string, version?: number): void {
  const header = context.headers['if-match'];
  if (header === undefined) return;
  const tags = header.split(',').map((tag) => tag.trim());
  const isCurrent = (tag: string) =>
    tag === `"${etag}"` ||
    (version !== undefined && (tag === `"${version}"` || tag.startsWith(`"${version}-`)));
  // Weak tags never match here (RFC 9110 section 13.1.1).
  if (tags.includes('*') || tags.some(isCurrent)) return;
  throw new ProblemError({
    kind: 'stale',
    detail: 'The record has changed since you read it. Read it again, then repeat your change.',
  });
}

/** The error for a change of a record that has changed since it was read. */
export function changedMeanwhile(context: Context, what: string): ProblemError {
  return new ProblemError({
    kind: context.headers['if-match'] === undefined ? 'conflict' : 'stale',
    detail: `The ${what} was changed by another request at the same time. Read it again, then repeat your change.`,
  });
}
