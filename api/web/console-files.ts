import { readdirSync, readFileSync } from 'node:fs';
import { basename, extname, join, relative, sep } from 'node:path';
import { contentEtag } from '../http/static-content.ts';

/** The codings in which the build keeps a file, best first, and how it names them. */
export const CODINGS = { br: '.br', gzip: '.gz' } as const;
export type Coding = keyof typeof CODINGS;

/** A file of the console, read once. */
export interface ConsoleFile {
  readonly bytes: Buffer;
  /** The same, compressed by the build. */
  readonly compressed: Readonly<Partial<Record<Coding, Buffer>>>;
  /** As `contentEtag` makes it, of the uncompressed bytes. */
  readonly etag: string;
  /** `.js`, of which the content type is made. */
  readonly extension: string;
}

/** The built console (docs/architecture.md). */
export interface ConsoleFiles {
  /** The page of every screen. */
  readonly page: ConsoleFile;
  /** The other files by their path below `/desk/`: `assets/index-BxY12.js`. */
  readonly files: ReadonlyMap<string, ConsoleFile>;
  /**
   * The build: the name of the script that the page begins with. It has a digest of all that the script loads, so that it changes
   * with each of them, and the script knows it as the end of its own address.
   */
  readonly version: string;
}

const PAGE_NAME = 'index.html';
const FIRST_SCRIPT = /<script\b[^>]*\bsrc="[^"]*\/([^"/]+)"/;

/** Where the build puts the console: below the sources in `web/dist`, below a compiled service in `web`. */
export function builtConsoleFolder(): string {
  const place = import.meta.filename.endsWith('.ts') ? 'web/dist/desk' : 'web/desk';
  return join(import.meta.dirname, '..', '..', place);
}

/**
 * Reads the built console into memory, some megabytes, so that a request can name nothing but its files. Null where it is not built.
 * Throws an Error where its page begins with no script.
 */
export function readConsoleFiles(folder: string): ConsoleFiles | null {
  const names = namesIn(folder);
  if (!names.includes(PAGE_NAME)) return null;
  const isPart = (name: string) => Object.values(CODINGS).some((ending) => name.endsWith(ending));
  const files = new Map(
    names.filter((name) => !isPart(name)).map((name) => [name, consoleFile(folder, name, names)]),
  );
  const page = consoleFile(folder, PAGE_NAME, names);
  files.delete(PAGE_NAME);
  const version = FIRST_SCRIPT.exec(page.bytes.toString('utf8'))?.[1];
  if (version === undefined) throw new Error(`${folder}: the page of the console has no script`);
  return { page, files, version };
}

/** The paths of the files below a folder; what begins with a dot is the build's own. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => relative(folder, join(parentPath, name)).replaceAll(sep, '/'))
      .filter((name) => !name.split('/').some((part) => part.startsWith('.')));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

function consoleFile(folder: string, name: string, names: readonly string[]): ConsoleFile {
  const bytesOf = (file: string) => readFileSync(join(folder, file));
  const bytes = bytesOf(name);
  const compressed: Partial<Record<Coding, Buffer>> = {
    ...(names.includes(name + CODINGS.br) ? { br: bytesOf(name + CODINGS.br) } : {}),
    ...(names.includes(name + CODINGS.gzip) ? { gzip: bytesOf(name + CODINGS.gzip) } : {}),
  };
  return { bytes, compressed, etag: contentEtag(bytes), extension: extname(basename(name)) };
}
