import type { Problem } from '../../domain/problem.ts';

export const LD_JSON = 'application/ld+json';
export const JSON_TYPE = 'application/json';
export const MERGE_PATCH = 'application/merge-patch+json';
export const PDF = 'application/pdf';
export const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
export const CSV = 'text/csv';

/** One range of an Accept header with its weight. */
interface AcceptRange {
  readonly type: string;
  readonly quality: number;
}

/**
 * Chooses what to answer with (RFC 9110 section 12.5.1): the offered type that the client likes best, the earlier
 * offer where it likes several alike. No Accept means anything. Undefined when nothing offered is accepted.
 */
export function negotiate(accept: string | undefined, offers: readonly string[]): string | undefined {
  if (accept === undefined || accept.trim() === '') return offers[0];
  const ranges = accept.slice(0, 2_000).split(',').map(acceptRange);
  const rated = offers.map((offer) => ({ offer, quality: qualityOf(offer, ranges) }));
  const best = rated.reduce<{ offer: string; quality: number } | undefined>(
    (winner, candidate) => (candidate.quality > (winner?.quality ?? 0) ? candidate : winner),
    undefined,
  );
  return best?.offer;
}

function acceptRange(text: string): AcceptRange {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  const quality = weight === undefined ? 1 : Number(weight);
  return { type, quality: Number.isFinite(quality) ? Math.min(Math.max(quality, 0), 1) : 1 };
}

function qualityOf(offer: string, ranges: readonly AcceptRange[]): number {
  const [family] = offer.split('/');
  const exact = ranges.find(({ type }) => type === offer);
  const range =
    exact ?? ranges.find(({ type }) => type === `${family}/*`) ?? ranges.find(({ type }) => type === '*/*');
  return range?.quality ?? 0;
}

/**
 * Checks a request's content type against what the operation takes: a wrong one and a missing one are both rejected
 * with the list, and so is a charset other than UTF-8, which would be misread in silence.
 */
export function contentTypeProblem(
  contentType: string | undefined,
  taken: readonly string[],
): Problem | undefined {
  const [type = '', ...parameters] = (contentType ?? '').split(';').map((part) => part.trim().toLowerCase());
  const list = taken.join(' or ');
  if (!taken.includes(type)) {
    const found =
      type === ''
        ? 'The Content-Type header is missing'
        : `Content-Type ${type.slice(0, 80)} is not supported here`;
    return { kind: 'unsupported_media_type', detail: `${found}; send ${list}.` };
  }
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))?.slice('charset='.length);
  if (charset !== undefined && charset.replaceAll('"', '') !== 'utf-8') {
    return { kind: 'unsupported_media_type', detail: 'The charset must be utf-8.' };
  }
  return undefined;
}
