import { ProblemError } from '../../domain/problem.ts';
import type { RawRequest } from './route.ts';

/**
 * Honours `If-Match` (RFC 9110 section 13.1.1, interpretation 39): a tag that is not the current one is rejected with
 * 412, so that no client overwrites a change that it has not seen. Without the header nothing is checked. `isCurrent`
 * compares a tag with its quotes, for tags with a part that no edit writes over.
 */
export function requireMatch(
  raw: RawRequest,
  etag: string,
  isCurrent: (tag: string) => boolean = (tag) => tag === `"${etag}"`,
): void {
  const header = raw.headers['if-match'];
  if (header === undefined) return;
  const tags = header.split(',').map((tag) => tag.trim());
  // Weak tags never match here (RFC 9110 section 13.1.1).
  if (tags.includes('*') || tags.some(isCurrent)) return;
  throw new ProblemError({
    kind: 'stale',
    detail: 'The record has changed since you read it. Read it again, then repeat your change.',
  });
}
