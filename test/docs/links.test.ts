import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import test from 'ava';

const projectFolder = join(import.meta.dirname, '..', '..');
const pages = [
  'README.md',
  'RELEASE_NOTES.md',
  ...readdirSync(join(projectFolder, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
];

/** A page without its blocks of code, where brackets and ticks mean something else. */
function proseOf(page: string): string {
  return readFileSync(join(projectFolder, page), 'utf8').replaceAll(/^ *```[^]*?^ *```/gm, '');
}

/** The anchors of a page's headings, as GitHub makes them. */
function anchorsOf(page: string): ReadonlySet<string> {
  const headings = [...proseOf(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading);
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

const FOLDERS =
  /^(?:domain|platform|store|workflows|activities|api|worker|documents|spreadsheet|ops|dev|demo|bench|test|docs|docker|migrations)\//;

function leadsSomewhere(page: string, target: string): boolean {
  const [path = '', anchor] = target.split('#');
  const file = path === '' ? page : join(dirname(page), path);
  return existsSync(join(projectFolder, file)) && (anchor === undefined || anchorsOf(file).has(anchor));
}

test('there are pages to look at', (t) => {
  t.true(pages.length > 20);
  t.true(anchorsOf('docs/deployment.md').has('what-was-tried-and-what-not'));
});

for (const page of pages) {
  test(`every link of ${page} leads to a file and to a heading in it`, (t) => {
    const targets = [...proseOf(page).matchAll(/\]\(([^)\s]+)[^)]*\)/g)].map(([, target = '']) => target);
    const broken = targets
      .filter((target) => !/^(?:https?|mailto):/.test(target))
      .filter((target) => !leadsSomewhere(page, target));
    t.deepEqual(broken, []);
  });

  test(`every file that ${page} names is there`, (t) => {
    const names = [...proseOf(page).matchAll(/`([\w./-]+)`/g)].map(([, name = '']) => name);
    const missing = names.filter((name) => FOLDERS.test(name) && !existsSync(join(projectFolder, name)));
    t.deepEqual(missing, []);
  });
}
