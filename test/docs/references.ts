import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const projectFolder = join(import.meta.dirname, '..', '..');

/** Written by programs. */
const LEFT_OUT = ['node_modules', 'dist', 'test/workflows/histories'];
const TEXT = /(?:\.(?:ts|mts|mjs|cjs|js|md|sql|yml|php|py)|\/Dockerfile)$/;

/** A text file of the repository, its path from the root. */
export interface TextFile {
  readonly path: string;
  readonly text: string;
}

/** Reads every text file that people write. */
export function textFiles(folder = ''): readonly TextFile[] {
  return readdirSync(join(projectFolder, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.name.startsWith('.') || LEFT_OUT.includes(path)) return [];
    if (entry.isDirectory()) return textFiles(path);
    return TEXT.test(`/${path}`) ? [{ path, text: readFileSync(join(projectFolder, path), 'utf8') }] : [];
  });
}

/** What citations lead to. */
export interface Targets {
  readonly interpretations: ReadonlySet<string>;
  readonly decisions: ReadonlySet<string>;
  /** The headings of each page, by the page's path. */
  readonly headings: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Reads the targets from the pages and decisions among the files. */
export function targetsOf(files: readonly TextFile[]): Targets {
  const pages = files.filter(({ path }) => path.endsWith('.md'));
  const headings = new Map(pages.map(({ path, text }) => [path, new Set(headingsOf(text))] as const));
  const rows = [...(headings.get('docs/interpretations.md') ?? [])];
  return {
    headings,
    interpretations: new Set(rows.flatMap((heading) => /^(\d+)\. /.exec(heading)?.[1] ?? [])),
    decisions: new Set(pages.flatMap(({ path }) => /^docs\/decisions\/(\d{4})-/.exec(path)?.[1] ?? [])),
  };
}

function headingsOf(text: string): readonly string[] {
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading);
}

const listOf = (number: string) => `${number}(?:(?:,| to| and) ${number})*`;
const INTERPRETATIONS = new RegExp(String.raw`\binterpretations? (${listOf(String.raw`\d+`)})`, 'gi');
const DECISIONS = new RegExp(String.raw`\bdecisions? (${listOf(String.raw`\d{4}`)})`, 'gi');
const CONTRACT = /\bcontract ((?:«[^»]+»(?:, | and )?)+)/gi;
const PAGE = /(?<![\w/])(README|[\w/-]+\.md),? «([^»]+)»/g;

/** Forms of citations that lead nowhere in the repository. */
const NOWHERE = [
  /\bgaps? \d+/gi,
  /\bdesign[,:]? [«"]/gi,
  /\bissue \d{1,2}\b/gi,
  /\bcontract rule \d+/gi,
  /\bcontract's \(?«/gi,
  /docs\/decisions\/\d{4}\b(?!-)/g,
];

/** Returns the citations of a file that do not resolve, each as it is written. */
export function deadCitations({ path, text }: TextFile, targets: Targets): readonly string[] {
  const prose = joinedLines(text);
  const contract = targets.headings.get('docs/contract.md');
  const dead = [
    ...numbers(prose, INTERPRETATIONS).filter(([, number]) => !targets.interpretations.has(number)),
    ...numbers(prose, DECISIONS).filter(([, number]) => !targets.decisions.has(number)),
    ...[...prose.matchAll(CONTRACT)]
      .flatMap(([, sections = '']) => [...sections.matchAll(/«([^»]+)»/g)])
      .filter(([, section = '']) => contract?.has(section) !== true),
    ...[...prose.matchAll(PAGE)].filter(([, page = '', section = '']) => {
      const file = page === 'README' ? 'README.md' : page;
      return targets.headings.get(file)?.has(section) !== true;
    }),
    ...NOWHERE.flatMap((form) => [...prose.matchAll(form)]),
  ];
  return dead.map(([citation]) => `${path}: ${citation}`);
}

/** A citation may begin on one line of a comment and end on the next. */
function joinedLines(text: string): string {
  return text.replaceAll(/\n[ \t]*(?:\*(?!\/)|\/\/|--|#)?[ \t]*/g, ' ');
}

function numbers(prose: string, form: RegExp): readonly (readonly [citation: string, number: string])[] {
  return [...prose.matchAll(form)].flatMap(([citation, list = '']) =>
    [...list.matchAll(/\d+/g)].map(([number]) => [citation, number] as const),
  );
}

const FOLDERS =
  'activities|api|bench|demo|dev|docker|docs|documents|domain|migrations|ops|platform|spreadsheet|store|test|worker|workflows';
const PATH = new RegExp(
  String.raw`(?<![\w./<-])(?:${FOLDERS})/[\w./-]*\.(?:ts|mts|mjs|cjs|md|sql|yml|php|py)\b`,
  'g',
);
const NAME = /`((?:\w[\w.-]*\/)*\w[\w.-]*\.(?:ts|mts|mjs|cjs|md|sql))`/g;

/**
 * Returns the files that a text names and that do not exist. A comment names a file by its path from the root; a page may
 * leave out the folders before it.
 */
export function missingFiles({ path, text }: TextFile, files: readonly TextFile[]): readonly string[] {
  const paths = files.map((file) => `/${file.path}`);
  const named = [...text.matchAll(PATH)].map(([name]) => name).filter((name) => !paths.includes(`/${name}`));
  const short = path.endsWith('.md') ? [...text.matchAll(NAME)].map(([, name = '']) => name) : [];
  const unknown = short.filter((name) => !paths.some((file) => file.endsWith(`/${name}`)));
  return [...new Set([...named, ...unknown])].map((name) => `${path}: ${name}`);
}
