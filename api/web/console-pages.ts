import type { Context, Middleware } from 'koa';
import { ProblemError } from '../../domain/problem.ts';
import type { ApiConfig } from '../../platform/config.ts';
import { isDeskApi } from '../session/desk-api.ts';
import type { Coding, ConsoleFile, ConsoleFiles } from './console-files.ts';
import { CODINGS } from './console-files.ts';
import { consoleHeaders } from './policy.ts';

const DESK = '/desk/';
const ALLOWED_METHODS: readonly string[] = ['GET', 'HEAD'];
/** The names of these files have a digest of what is in them. */
const HASHED_FILES = 'assets/';
const FOR_EVER = 'public, max-age=31536000, immutable';
const ASK_AGAIN = 'no-cache';
const NOT_BUILT =
  '<!DOCTYPE html><html lang="en"><title>Not built</title><p>The console is not built here. Run <code>npm start</code>, or <code>npm run build</code> for an image.</p></html>\n';

/**
 * Serves the console to browsers: `/` leads to `/desk/`, the address of a screen gives the page, the address of a file the file,
 * and a file that is not there is a 404. Files are compressed by the build and chosen by `Accept-Encoding`.
 */
export function consolePages({
  config,
  consoleFiles,
}: {
  readonly config: Pick<ApiConfig, 'mapTilesUrl'>;
  readonly consoleFiles: ConsoleFiles | null;
}): Middleware {
  const headers = consoleHeaders(config);
  return async (context, next) => {
    const { path } = context;
    const isEntry = path === '/' || path === '/desk';
    if (!isEntry && (!path.startsWith(DESK) || isDeskApi(path))) {
      await next();
      return;
    }
    if (!ALLOWED_METHODS.includes(context.method)) {
      const detail = `Allowed methods: ${ALLOWED_METHODS.join(', ')}.`;
      throw new ProblemError({ kind: 'method_not_allowed', detail, allow: ALLOWED_METHODS });
    }
    context.set(headers);
    // The addresses of the API's documentation are of no use to a page.
    context.remove('link');
    if (isEntry) {
      context.redirect(`${DESK}${context.search}`);
      return;
    }
    if (consoleFiles === null) {
      writeNotBuilt(context);
      return;
    }
    const name = path.slice(DESK.length);
    const file = consoleFiles.files.get(name);
    if (file !== undefined) write(context, file, name.startsWith(HASHED_FILES) ? FOR_EVER : ASK_AGAIN);
    else if (isScreen(name)) write(context, consoleFiles.page, ASK_AGAIN);
    else throw new ProblemError({ kind: 'missing', detail: 'No file has this name.' });
  };
}

/** A screen's address has no ending; what has one is a file, and so is all below the folder of files. */
function isScreen(name: string): boolean {
  return !name.startsWith(HASHED_FILES) && !name.slice(name.lastIndexOf('/') + 1).includes('.');
}

function write(context: Context, file: ConsoleFile, cacheControl: string): void {
  const coding = codingFor(context, file);
  context.status = 200;
  context.type = file.extension;
  context.set('cache-control', cacheControl);
  // Each coding is a representation of its own, with a tag of its own (RFC 9110 section 8.8.3.3).
  context.set('etag', `"${file.etag}${coding === undefined ? '' : `-${coding}`}"`);
  if (coding !== undefined) context.set('content-encoding', coding);
  if (context.fresh) {
    context.status = 304;
    context.body = null;
    return;
  }
  context.body = (coding === undefined ? undefined : file.compressed[coding]) ?? file.bytes;
}

function codingFor(context: Context, { compressed }: ConsoleFile): Coding | undefined {
  const kept = Object.keys(CODINGS).filter((name): name is Coding => name in compressed);
  // Asked for all of them together, koa would take the client's order for a wish: browsers name gzip first.
  return kept.find((coding) => context.acceptsEncodings(coding) === coding);
}

function writeNotBuilt(context: Context): void {
  context.status = 503;
  context.type = '.html';
  context.body = NOT_BUILT;
}
