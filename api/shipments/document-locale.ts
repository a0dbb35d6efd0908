import type { DocumentLocale } from '../../documents/document-data.ts';

/** The language of a document by `Accept-Language` (RFC 9110 section 12.5.4): French where it is liked best, else English. */
export function localeOf(acceptLanguage: string | undefined): DocumentLocale {
  const ranges = (acceptLanguage ?? '')
    .slice(0, 1_000)
    .split(',')
    .map((range) => {
      const [tag = '', weight] = range
        .trim()
        .toLowerCase()
        .split(/\s*;\s*q=/);
      return { language: tag.split('-')[0], quality: weight === undefined ? 1 : Number(weight) || 0 };
    })
    .filter(({ language }) => language === 'en' || language === 'fr')
    .sort((left, right) => right.quality - left.quality);
  return ranges[0]?.language === 'fr' ? 'fr' : 'en';
}
