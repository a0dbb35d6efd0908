import { createHash } from 'node:crypto';

/** Headers of what stays the same while the process runs. */
export const CACHEABLE = { 'cache-control': 'public, max-age=3600' };

/** An entity tag of a content that never changes while the process runs. */
export function contentEtag(content: Buffer | string): string {
  return createHash('sha256').update(content).digest('base64url').slice(0, 22);
}
