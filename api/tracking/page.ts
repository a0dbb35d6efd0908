import { createHash } from 'node:crypto';
import type { Language } from '../../domain/enumerations.ts';
import type { PageState } from './words.ts';
import { PAGE_WORDS } from './words.ts';

const STYLE = `:root{color-scheme:light dark}body{margin:0;font:1.125rem/1.5 system-ui,sans-serif}
main{max-width:32rem;margin:0 auto;padding:2rem 1rem}h1{font-size:1rem;font-weight:400;margin:0}
.status{font-size:2rem;font-weight:700;line-height:1.25;margin:.25rem 0 1rem}dt{font-size:.875rem}dd{margin:0}`;

/** The page loads nothing and runs nothing; its one style is known by its digest. */
const PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The headers of every answer of the page, next to those of every answer of the API. */
export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': PAGE_POLICY,
  'cache-control': 'private, no-store',
  'x-robots-tag': 'noindex, nofollow, noarchive',
  'referrer-policy': 'no-referrer',
  vary: 'Accept-Language',
} as const;

/**
 * Writes the page for a recipient: a state in words and the parcel's number, nothing of a person, an amount or an organization. It is
 * well-formed XML as well as HTML. `trackingNumber` is null for an unknown link and for an error.
 */
export function renderPage(language: Language, state: PageState, trackingNumber: string | null): string {
  const words = PAGE_WORDS[language];
  const [heading, sentence] = words.states[state];
  const number =
    trackingNumber === null
      ? ''
      : `<dl><dt>${text(words.trackingNumber)}</dt><dd><bdi dir="ltr">${text(trackingNumber)}</bdi></dd></dl>`;
  return `<!DOCTYPE html>
<html lang="${language}" dir="${words.direction}">
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<meta name="robots" content="noindex, nofollow, noarchive" />
<meta name="referrer" content="no-referrer" />
<title>${text(`${heading} · ${words.title}`)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${text(words.title)}</h1>
<p class="status">${text(heading)}</p>
<p>${text(sentence)}</p>
${number}
</main>
</body>
</html>
`;
}

function text(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
