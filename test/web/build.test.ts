import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import { DESK_FOLDER } from '../../dev/web/build-web.ts';
import { MESSAGES } from '../../domain/messages.ts';

const PROJECT = join(import.meta.dirname, '..', '..');
const WEB = join(PROJECT, 'web');

/** A file of the build, as Vite's manifest has it. */
interface Chunk {
  readonly file: string;
  readonly isEntry?: boolean;
  readonly isDynamicEntry?: boolean;
  readonly imports?: readonly string[];
  readonly dynamicImports?: readonly string[];
  readonly css?: readonly string[];
}
type Manifest = Readonly<Record<string, Chunk>>;

function isManifest(value: unknown): value is Manifest {
  return typeof value === 'object' && value !== null;
}

async function readManifest(): Promise<Manifest> {
  const parsed: unknown = JSON.parse(await readFile(join(DESK_FOLDER, '.vite', 'manifest.json'), 'utf8'));
  if (!isManifest(parsed)) throw new Error('the build has no manifest');
  return parsed;
}

/** The files that a chunk needs before it runs. */
function filesOf(manifest: Manifest, name: string, known = new Set<string>()): ReadonlySet<string> {
  const chunk = manifest[name];
  if (chunk === undefined || known.has(chunk.file)) return known;
  for (const file of [chunk.file, ...(chunk.css ?? [])]) known.add(file);
  for (const imported of chunk.imports ?? []) filesOf(manifest, imported, known);
  return known;
}

async function kilobytes(files: Iterable<string>): Promise<number> {
  const sizes = await Promise.all(
    [...files].map(async (file) => (await stat(join(DESK_FOLDER, `${file}.gz`))).size),
  );
  return sizes.reduce((sum, size) => sum + size, 0) / 1_000;
}

const BOARD = 'board/screen.tsx';
/** Loaded on demand, and with the board where its map is shown. */
const MAP = 'map/board-map.tsx';
const LANGUAGE_KB = 15;
const PALETTE_KB = 50;
const SCREEN_KB = 40;
const FIRST_LOAD_KB = 200;

test('the board with its map, a language, the palette and each further screen stay within their sizes', async (t) => {
  const manifest = await readManifest();
  const [entry] = Object.keys(manifest).filter((name) => manifest[name]?.isEntry === true);
  if (entry === undefined) throw new Error('the build has no entry');
  const first = new Set([entry, BOARD, MAP].flatMap((name) => [...filesOf(manifest, name)]));
  const firstKb = await kilobytes(first);
  t.true(firstKb <= FIRST_LOAD_KB, `first load of the board: ${firstKb} kB`);
  for (const [name, { isDynamicEntry, file }] of Object.entries(manifest)) {
    if (isDynamicEntry !== true || !/\.(?:tsx|po)$/.test(name) || first.has(file)) continue;
    const further = [...filesOf(manifest, name)].filter((part) => !first.has(part));
    const bound = name.endsWith('.po') ? LANGUAGE_KB : name.startsWith('palette/') ? PALETTE_KB : SCREEN_KB;
    const size = await kilobytes(further);
    t.true(size <= bound, `${name}: ${size} kB of ${bound}`);
  }
});

async function sourcesEndingWith(ending: string): Promise<readonly string[]> {
  const folders = ['desk', 'shared'].map((folder) => join(WEB, folder));
  const found = await Promise.all(
    folders.map(async (folder) =>
      (await readdir(folder, { recursive: true })).map((name) => join(folder, name)),
    ),
  );
  return found.flat().filter((name) => name.endsWith(ending));
}

/** Whatever has a side of the screen in it: Arabic needs the other one. */
const SIDED =
  /(?:^|[\s;{])(?:left|right|(?:margin|padding|border|inset|scroll-margin|scroll-padding)-(?:left|right)[a-z-]*)\s*:|(?:text-align|float|clear)\s*:\s*(?:left|right)\b/;

test('styles say start and end: none knows left or right', async (t) => {
  const files = await sourcesEndingWith('.css');
  t.true(files.length > 10);
  for (const file of files) {
    const lines = (await readFile(file, 'utf8')).split('\n');
    t.deepEqual(
      lines.filter((line) => SIDED.test(line)),
      [],
      file,
    );
  }
});

/** The texts of a catalogue with their translations, as gettext writes them. */
function textsOf(catalogue: string): ReadonlyMap<string, string> {
  const unquoted = (part: string | undefined) =>
    [...(part ?? '').matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, text = '']) => text).join('');
  const entries = catalogue.split(/\n\s*\n/).flatMap((block) => {
    const lines = block.split('\n').filter((line) => !line.startsWith('#'));
    const [, id, translation] = /msgid ([\s\S]*?)\nmsgstr ([\s\S]*)/.exec(lines.join('\n')) ?? [];
    return id === undefined ? [] : [[unquoted(id), unquoted(translation)] as const];
  });
  return new Map(entries.filter(([id]) => id !== ''));
}

const CATALOGUES = ['words.po', 'settings.po', 'service.po'];

async function catalogueTexts(language: string, catalogue: string): Promise<ReadonlyMap<string, string>> {
  return textsOf(await readFile(join(WEB, 'shared', 'locales', language, catalogue), 'utf8'));
}

const namesIn = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name).sort();

test('a text for a sentence of the service names only parameters that the sentence has', async (t) => {
  const sentences: Readonly<Record<string, string>> = MESSAGES;
  const source = await readFile(join(WEB, 'shared', 'service-words.ts'), 'utf8');
  const texts = [...source.matchAll(/^ {2}(\w+): msg(?:`([^`]*)`|\(\{\s*message:\s*'([^']*)')/gm)];
  const written = texts.map(([, key = '', plain, named]) => [key, plain ?? named ?? ''] as const);
  const [, table = ''] = source.split('export const SERVICE_WORDS');
  const entries = [...table.matchAll(/^ {2}(\w+):/gm)].map(([, key = '']) => key);
  t.true(entries.length > 100);
  t.deepEqual(
    written.map(([key]) => key),
    entries,
    'a text is written in a form that this test does not read',
  );
  for (const [key, text] of written) {
    const known = namesIn(sentences[key] ?? '');
    t.deepEqual(
      namesIn(text).filter((name) => !known.includes(name)),
      [],
      key,
    );
  }
  for (const language of ['fr', 'ar'])
    for (const [text, translation] of await catalogueTexts(language, 'service.po'))
      t.deepEqual(namesIn(translation), namesIn(text), text);
});

test('every text of the console is in the catalogues, and French and Arabic have each of them', async (t) => {
  t.timeout(120_000);
  const folder = await mkdtemp(join(tmpdir(), 'desk-words-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const config = join(folder, 'lingui.config.ts');
  await writeFile(
    config,
    `import base from ${JSON.stringify(join(WEB, 'lingui.config.ts'))};
     export default { ...base, rootDir: ${JSON.stringify(WEB)}, locales: ['en'],
       catalogs: base.catalogs.map((catalog) => ({
         ...catalog, path: ${JSON.stringify(folder)} + '/{locale}/' + catalog.path.split('/').at(-1) })) };`,
  );
  const cli = join(PROJECT, 'node_modules', '@lingui', 'cli', 'dist', 'lingui.js');
  await promisify(execFile)(process.execPath, [cli, 'extract', '--config', config, '--clean'], {
    cwd: PROJECT,
  });
  for (const catalogue of CATALOGUES) {
    const extracted = [...textsOf(await readFile(join(folder, 'en', catalogue), 'utf8')).keys()].sort();
    t.true(extracted.length > 100);
    for (const language of ['en', 'fr', 'ar']) {
      const texts = await catalogueTexts(language, catalogue);
      t.deepEqual([...texts.keys()].sort(), extracted, `${language}: run npm run words`);
      if (language === 'en') continue;
      t.deepEqual(
        [...texts].filter(([, translation]) => translation === '').map(([text]) => text),
        [],
        `${language} has texts without a translation`,
      );
    }
  }
});
