import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import test from 'ava';
import type { ExecutionContext } from 'ava';
import Koa from 'koa';
import { errorHandler } from '../../../api/http/errors.ts';
import { responseHeaders } from '../../../api/http/response-headers.ts';
import { readConsoleFiles } from '../../../api/web/console-files.ts';
import { consolePages } from '../../../api/web/console-pages.ts';
import { createLogger } from '../../../platform/log.ts';
import { sendRaw } from '../../harness/raw-request.ts';

const PAGE =
  '<!doctype html><html lang="en"><script type="module" src="/desk/assets/index-BxY12.js"></script></html>';
const SCRIPT = `export const words = ${JSON.stringify('parcel '.repeat(200))};`;
const log = createLogger('test', 'silent');
/** The built console of these tests, by path. */
const FILES = {
  'index.html': PAGE,
  'assets/index-BxY12.js': SCRIPT,
  'assets/index-Cz3.css': 'body { margin: 0 }',
  'assets/coasts-1f.json': '{"type":"Topology"}',
  'icon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  '.vite/manifest.json': '{}',
} as const;

function makeFolder(t: ExecutionContext, files: Readonly<Record<string, string | Buffer>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'console-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}

/** Serves a folder as the API does, without a database. */
async function serve(t: ExecutionContext, folder: string, mapTilesUrl: string | null = null) {
  const app = new Koa();
  app.silent = true;
  app.use(errorHandler(log));
  app.use(responseHeaders('http://localhost:8080'));
  app.use(consolePages({ config: { mapTilesUrl }, consoleFiles: readConsoleFiles(folder) }));
  const handle = app.callback();
  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const baseUrl = `http://127.0.0.1:${port ?? 0}`;
  return (path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
    sendRaw({ baseUrl }, method, path, { headers });
}

/** The files with what the build compresses beside them. */
function builtFiles(): Record<string, string | Buffer> {
  const scripts = Object.entries(FILES).filter(([name]) => /\.(?:js|css|html)$/.test(name));
  return {
    ...FILES,
    ...Object.fromEntries(scripts.map(([name, text]) => [`${name}.br`, brotliCompressSync(text)])),
    ...Object.fromEntries(scripts.map(([name, text]) => [`${name}.gz`, gzipSync(text)])),
  };
}

const HTML = 'text/html; charset=utf-8';
const FOR_EVER = 'public, max-age=31536000, immutable';

/** What each address gives: status, content type, how long it may be kept, the text (of 200). */
const ADDRESSES: readonly (readonly [
  path: string,
  status: number,
  type: string,
  kept: string,
  text: string,
])[] = [
  ['/desk/', 200, HTML, 'no-cache', PAGE],
  ['/desk/board', 200, HTML, 'no-cache', PAGE],
  ['/desk/board?date=2026-03-01&driver=v1.2', 200, HTML, 'no-cache', PAGE],
  ['/desk/shipments/0198c5a2-7d1e-7c60-a1a8-5d3f0a3c9a11', 200, HTML, 'no-cache', PAGE],
  ['/desk/apiary', 200, HTML, 'no-cache', PAGE],
  ['/desk/index.html', 404, '', '', ''],
  ['/desk/icon.svg', 200, 'image/svg+xml', 'no-cache', FILES['icon.svg']],
  ['/desk/assets/index-BxY12.js', 200, 'text/javascript; charset=utf-8', FOR_EVER, SCRIPT],
  ['/desk/assets/index-Cz3.css', 200, 'text/css; charset=utf-8', FOR_EVER, FILES['assets/index-Cz3.css']],
  [
    '/desk/assets/coasts-1f.json',
    200,
    'application/json; charset=utf-8',
    FOR_EVER,
    FILES['assets/coasts-1f.json'],
  ],
  ['/desk/assets/index-Old9.js', 404, '', '', ''],
  ['/desk/assets/index-BxY12.js.br', 404, '', '', ''],
  ['/desk/assets/index', 404, '', '', ''],
  ['/desk/assets/', 404, '', '', ''],
  ['/desk/assets', 200, HTML, 'no-cache', PAGE],
  ['/desk/sw.js', 404, '', '', ''],
  ['/desk/.vite/manifest.json', 404, '', '', ''],
  ['/desk/../package.json', 404, '', '', ''],
  ['/desk/assets/../../../package.json', 404, '', '', ''],
  ['/desk/..%2f..%2fpackage.json', 404, '', '', ''],
  ['/desk/%2e%2e/%2e%2e/package.json', 404, '', '', ''],
  ['/desk/assets/index-BxY12.js%00.css', 404, '', '', ''],
  ['/desk/__proto__.js', 404, '', '', ''],
  ['/desk/api/session', 404, '', '', ''],
  ['/desk/api', 404, '', '', ''],
  ['/deskboard', 404, '', '', ''],
  ['/other', 404, '', '', ''],
];

test('200 the files and the screens, 404 for all else, as a problem and never as a page', async (t) => {
  const get = await serve(t, makeFolder(t, builtFiles()));
  for (const [path, status, type, kept, text] of ADDRESSES) {
    const answer = await get(path);
    t.is(answer.status, status, path);
    if (status === 200) {
      const { 'content-type': contentType, 'cache-control': cacheControl } = answer.headers;
      t.deepEqual([contentType, cacheControl, answer.text], [type, kept, text], path);
      t.is(answer.headers['link'], undefined, path);
    } else {
      t.regex(answer.headers['content-type'] ?? '', /^application\/problem\+json/, path);
      t.is(answer.headers['cache-control'], 'no-store', path);
    }
  }
});

test('302 the root and the bare name lead to the console, with the query', async (t) => {
  const get = await serve(t, makeFolder(t, builtFiles()));
  for (const [path, location] of [
    ['/', '/desk/'],
    ['/desk', '/desk/'],
    ['/?lang=fr', '/desk/?lang=fr'],
  ] as const) {
    const answer = await get(path);
    t.deepEqual([answer.status, answer.headers.location], [302, location]);
  }
});

test('200 the coding is the best that both have, 304 by the tag of the same coding', async (t) => {
  const files = builtFiles();
  const get = await serve(t, makeFolder(t, files));
  const plain = (bytes: Buffer) => bytes;
  for (const [accepted, coding, decode] of [
    ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['br;q=0, gzip;q=0.5', 'gzip', gunzipSync],
    ['identity', undefined, plain],
    ['zstd', undefined, plain],
    ['identity;q=0, zstd', undefined, plain],
  ] as const) {
    const headers = { 'accept-encoding': accepted };
    const answer = await get('/desk/assets/index-BxY12.js', headers);
    t.deepEqual([answer.status, answer.headers['content-encoding']], [200, coding], accepted);
    const kept = files[`assets/index-BxY12.js${{ br: '.br', gzip: '.gz', '': '' }[coding ?? '']}`] ?? '';
    t.is(Number(answer.headers['content-length']), Buffer.byteLength(kept), accepted);
    t.is(decode(Buffer.from(kept)).toString('utf8'), SCRIPT);
    t.is(answer.headers.vary, 'Accept-Encoding');

    const page = await get('/desk/board', headers);
    const tag = page.headers.etag ?? '';
    const again = await get('/desk/', { ...headers, 'if-none-match': tag });
    t.deepEqual([again.status, again.text, again.headers.etag], [304, '', tag], accepted);
    const other = await get('/desk/', { 'accept-encoding': 'deflate', 'if-none-match': tag });
    t.is(other.status, coding === undefined ? 304 : 200, accepted);
  }
  // A file that the build did not compress goes as it is.
  const icon = await get('/desk/icon.svg', { 'accept-encoding': 'br, gzip' });
  t.deepEqual([icon.headers['content-encoding'], icon.text], [undefined, FILES['icon.svg']]);
});

test('200 a file that is compressed is sent so, byte for byte', async (t) => {
  const get = await serve(
    t,
    makeFolder(t, { ...FILES, 'assets/index-BxY12.js.gz': 'the bytes of the build' }),
  );
  const { text } = await get('/desk/assets/index-BxY12.js', { 'accept-encoding': 'br, gzip' });
  t.is(text, 'the bytes of the build');
});

test('405 nothing but GET and HEAD; a HEAD has the headers and no body', async (t) => {
  const get = await serve(t, makeFolder(t, builtFiles()));
  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
    const answer = await get('/desk/board', {}, method);
    t.deepEqual([answer.status, answer.headers.allow], [405, 'GET, HEAD'], method);
  }
  const head = await get('/desk/board', {}, 'HEAD');
  t.deepEqual([head.status, head.text, head.headers['content-length']], [200, '', String(PAGE.length)]);
});

test('200 the page may load its own files alone, and tiles from the source that is set', async (t) => {
  const folder = makeFolder(t, builtFiles());
  const pictures = async (mapTilesUrl: string | null) => {
    const { headers } = await (await serve(t, folder, mapTilesUrl))('/desk/board');
    return /img-src ([^;]*)/.exec(String(headers['content-security-policy']))?.[1];
  };
  t.is(await pictures(null), "'self' data: blob:");
  t.is(
    await pictures('https://tiles.example.com:8443/{z}/{x}/{y}.png?key=1'),
    "'self' data: blob: https://tiles.example.com:8443",
  );
  t.is(
    await pictures('https://{s}.tiles.example.com/{z}/{x}/{y}.png'),
    "'self' data: blob: https://*.tiles.example.com",
  );
  t.is(
    await pictures('https://tile-{s}.example.com/{z}/{x}/{y}{r}.png'),
    "'self' data: blob: https://*.example.com",
  );

  const { headers } = await (await serve(t, folder))('/desk/board');
  const policy = new Map(
    String(headers['content-security-policy'])
      .split('; ')
      .map((line) => [line.split(' ')[0] ?? '', line.split(' ').slice(1).join(' ')]),
  );
  t.deepEqual(Object.fromEntries(policy), {
    'default-src': "'none'",
    'script-src': "'self'",
    'style-src':
      "'self' 'sha256-38RhXrc7EdReTKsOm23ZPOCUgniTUUcjky8QOOrQx6o=' 'sha256-gYiS/BvZvRcK27JIXTuwhZ3hs2+VJ1X+2gUlE+farlg='",
    'img-src': "'self' data: blob:",
    'connect-src': "'self'",
    'worker-src': "'self'",
    'manifest-src': "'self'",
    'font-src': "'self'",
    'base-uri': "'none'",
    'form-action': "'self'",
    'frame-ancestors': "'none'",
  });
  t.is(headers['x-content-type-options'], 'nosniff');
  t.is(headers['x-frame-options'], 'DENY');
  t.is(headers['referrer-policy'], 'strict-origin');
  t.is(headers['cross-origin-opener-policy'], 'same-origin');
  t.regex(String(headers['permissions-policy']), /camera=\(\), microphone=\(\), geolocation=\(\)/);
});

test('503 a console that is not built says how to build it; its API is not concerned', async (t) => {
  const empty = makeFolder(t, {});
  for (const folder of [empty, join(empty, 'none')]) {
    const get = await serve(t, folder);
    for (const path of ['/desk/', '/desk/board', '/desk/assets/index-BxY12.js']) {
      const answer = await get(path);
      t.deepEqual([answer.status, answer.headers['content-type']], [503, HTML], path);
      t.regex(answer.text, /npm start/);
      t.is(answer.headers['cache-control'], 'no-store');
    }
    t.is((await get('/desk/api/session')).status, 404);
  }
});

test('the version is the name of the first script, and changes with it', (t) => {
  t.is(readConsoleFiles(makeFolder(t, FILES))?.version, 'index-BxY12.js');
  t.is(readConsoleFiles(makeFolder(t, {})), null);
  const scriptless = makeFolder(t, { 'index.html': '<!doctype html>' });
  t.throws(() => readConsoleFiles(scriptless), { message: /has no script/ });
});
