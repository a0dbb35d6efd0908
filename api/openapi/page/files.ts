import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { contentEtag } from '../../http/static-content.ts';

/** A file of the documentation page, read once. */
export interface PageFile {
  readonly name: string;
  readonly contentType: string;
  readonly bytes: Buffer;
  readonly etag: string;
}

/** The page allows its own origin alone: scripts and styles are files, and requests go back to this API. */
export const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The documentation page: Swagger UI over docs.json, served from here. Addresses are relative to `/api/v1/docs`. */
export const PAGE_HTML = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Shipment Delivery Service: API</title>
    <link rel="icon" href="docs/favicon-32x32.png">
    <link rel="stylesheet" href="docs/swagger-ui.css">
  </head>
  <body>
    <div id="docs"></div>
    <noscript>This page needs JavaScript; the same description is at docs.json and docs.yaml.</noscript>
    <script src="docs/swagger-ui-bundle.js"></script>
    <script src="docs/swagger-initializer.js"></script>
  </body>
</html>
`;

const PACKAGE_FILES = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
} as const;

/** Reads the files of the page: Swagger UI's own from its package, and our initializer. Throws when one is missing. */
export function readPageFiles(): readonly PageFile[] {
  const { resolve } = createRequire(import.meta.url);
  const fromPackage = Object.entries(PACKAGE_FILES).map(([name, contentType]) =>
    pageFile(name, contentType, readFileSync(resolve(`swagger-ui-dist/${name}`))),
  );
  const initializer = readFileSync(new URL('swagger-initializer.js', import.meta.url));
  return [
    ...fromPackage,
    pageFile('swagger-initializer.js', PACKAGE_FILES['swagger-ui-bundle.js'], initializer),
  ];
}

function pageFile(name: string, contentType: string, bytes: Buffer): PageFile {
  return { name, contentType, bytes, etag: contentEtag(bytes) };
}
