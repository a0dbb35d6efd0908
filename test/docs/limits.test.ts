import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { BUDGETS } from '../../domain/request-budgets.ts';
import { OCCURRED_AT_LIMITS } from '../../domain/event-time.ts';
import { KEPT_ERRORS } from '../../domain/import-record.ts';
import { MAX_PLACES, PLACE_LIFETIME_DAYS } from '../../domain/remembered-place.ts';
import { REQUEST_LIMITS } from '../../domain/request-limits.ts';
import { settingsReadBy } from '../platform/settings-read.ts';
import { loadApiConfig, loadWorkerConfig } from '../../platform/config.ts';

const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'limits.md'), 'utf8');

test('docs/limits.md has a row with the numbers of every budget', (t) => {
  const rows = new Map(
    [...page.matchAll(/^\| `([a-z_]+)` +\| [^|]* \| (\w+) +\| (\w+) +\|$/gm)].map(
      ([, name = '', user = '', organization = '']) => [name, [user, organization]],
    ),
  );
  const budgets = Object.entries(BUDGETS).map(
    ([name, { user, organization }]) => [name, [String(user ?? 'none'), String(organization)]] as const,
  );
  t.deepEqual(
    [...rows],
    budgets.map(([name, numbers]) => [name, [...numbers]]),
  );
});

test('docs/limits.md has the number of every request limit', (t) => {
  const part = page.slice(page.indexOf('## One request'), page.indexOf('## An import'));
  const counted = Object.entries(REQUEST_LIMITS).filter(([name]) => name !== 'propertyPathCharacters');
  for (const [name, limit] of counted) t.regex(part, new RegExp(`\\| ${limit}\\b`), name);
});

test('docs/limits.md has how far the occurredAt of a transition may lie from now', (t) => {
  const { backSeconds, aheadSeconds } = OCCURRED_AT_LIMITS;
  t.regex(
    page,
    new RegExp(`occurredAt.*\\b${backSeconds / 86_400} days back.*\\b${aheadSeconds / 60} minutes ahead`),
  );
});

test('docs/limits.md has what is kept of imports, and how many places are remembered', (t) => {
  t.regex(page, new RegExp(`messages of failed rows that its record keeps +\\| ${KEPT_ERRORS}\\b`));
  t.regex(page, new RegExp(`remembered places of an organization +\\| ${MAX_PLACES}\\b`));
  t.regex(page, new RegExp(`a remembered place +\\| ${PLACE_LIFETIME_DAYS} days\\b`));
});

test('docs/limits.md names no setting that is not there', (t) => {
  const known = new Set([...settingsReadBy(loadApiConfig), ...settingsReadBy(loadWorkerConfig)]);
  const named = [...page.matchAll(/`([A-Z][A-Z_]+)`/g)].map(([, name = '']) => name);
  t.true(named.length > 5);
  t.deepEqual(
    named.filter((name) => !known.has(name)),
    [],
  );
});
