import { i18n } from '@lingui/core';

/** Headers of a request for paper: a PDF in the console's language, and the problem where there is none. */
export function printHeaders(): Readonly<Record<string, string>> {
  return { Accept: 'application/pdf', 'Accept-Language': i18n.locale };
}
