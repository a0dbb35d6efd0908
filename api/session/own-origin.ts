import type { Context } from 'koa';
import { say } from '../../domain/messages.ts';
import { ProblemError, stated } from '../../domain/problem.ts';

const SAFE_METHODS: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];

/**
 * Rejects an unsafe request that another site may have made a browser send, with its cookie (decision 0029): it has to come from
 * the console's own origin, and to carry a header that no form can set and no other site may without being asked for. Browsers say
 * where a request comes from in `Sec-Fetch-Site`; those that do not, and requests to a plain http address, say it in `Origin`.
 */
export function requireOwnOrigin({ method, headers }: Context, ownOrigin: string): void {
  if (SAFE_METHODS.includes(method)) return;
  const site = headers['sec-fetch-site'];
  const isOwn = site === undefined ? headers.origin === ownOrigin : site === 'same-origin';
  if (isOwn && headers['x-requested-with'] !== undefined) return;
  throw new ProblemError({
    kind: 'forbidden',
    ...stated(isOwn ? say('header_missing', { header: 'X-Requested-With' }) : say('other_origin')),
  });
}
