import type { Context } from 'koa';
import { say } from '../../domain/messages.ts';
import { ProblemError, stated } from '../../domain/problem.ts';
import { contentEtag } from './static-content.ts';

/**
 * The entity tag of a record, without quotes (decision 0025): a part for what of it can be edited, a dot, and a part for all that
 * the caller is shown, whatever row it comes from. So no 304 is stale, and an edit can ask for the first part alone.
 */
export function recordEtag(editable: unknown, document: unknown): string {
  return `${contentEtag(JSON.stringify(editable))}.${contentEtag(JSON.stringify(document))}`;
}

/** Whether two tags of a record stand for the same values of all that can be edited. */
export function isSameEditable(one: string, other: string): boolean {
  return editablePart(one) === editablePart(other);
}

function editablePart(etag: string): string {
  return etag.slice(0, etag.indexOf('.') + 1);
}

/** Makes the current tag; asked for where a header needs it, since a transition is the most frequent write. */
type TagMaker = () => string | Promise<string>;

/**
 * Honours `If-Match` of a request that moves a record (RFC 9110 section 13.1.1): with another tag than the current one it is
 * rejected with 412. Without the header nothing is checked.
 */
export function requireMatch(context: Context, currentTag: TagMaker): Promise<void> {
  return requireTag(context, currentTag, (tag, current) => tag === `"${current}"`);
}

/**
 * Honours `If-Match` of a request that edits or deletes a record (decision 0025): rejected with 412 where a part that can be
 * edited has changed since the tag was read, so that no client overwrites a change that it has not seen.
 */
export function requireUnedited(context: Context, currentTag: TagMaker): Promise<void> {
  return requireTag(
    context,
    currentTag,
    (tag, current) => tag.startsWith(`"${editablePart(current)}`) && tag.endsWith('"'),
  );
}

async function requireTag(
  { headers }: Context,
  currentTag: TagMaker,
  isCurrent: (tag: string, current: string) => boolean,
): Promise<void> {
  const header = headers['if-match'];
  if (header === undefined) return;
  const tags = tagsOf(header);
  const current = await currentTag();
  // Weak tags never match here (RFC 9110 section 13.1.1).
  if (tags.includes('*') || tags.some((tag) => isCurrent(tag, current))) return;
  throw new ProblemError({
    kind: 'stale',
    ...stated(say('stale')),
  });
}

/**
 * Honours `If-None-Match` of a write (RFC 9110 section 13.1.2): rejected with 412 where it names the current tag of the record,
 * weak or not, or `*`, since what the path names exists.
 */
export async function requireNoneMatch(
  { headers }: Context,
  currentTag: () => Promise<string> | undefined,
): Promise<void> {
  const header = headers['if-none-match'];
  if (header === undefined) return;
  const tags = tagsOf(header).map((tag) => tag.replace(/^W\//, ''));
  if (!tags.includes('*') && !tags.includes(`"${(await currentTag()) ?? ''}"`)) return;
  throw new ProblemError({
    kind: 'stale',
    ...stated(say('current')),
  });
}

function tagsOf(header: string): readonly string[] {
  // Empty elements of a list are ignored (RFC 9110 section 5.6.1).
  return header
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
}

/** The error for a change of a record that has changed since it was read. */
export function changedMeanwhile(context: Context, what: string): ProblemError {
  return new ProblemError({
    kind: context.headers['if-match'] === undefined ? 'conflict' : 'stale',
    ...stated(say('changed_meanwhile', { record: what })),
  });
}
