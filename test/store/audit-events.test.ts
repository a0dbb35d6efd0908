import { randomUUID } from 'node:crypto';
import test from 'ava';
import { toId } from '../../domain/ids.ts';
import { operatorCaller, recordAudit } from '../../store/audit/audit-events.ts';
import { connectDatabase, execute, inTransaction, select } from '../../store/connection.ts';
import type { Database } from '../../store/connection.ts';
import { runCommand } from '../../ops/command-line.ts';
import { command } from '../../ops/audit.ts';
import type { TestDatabase } from '../harness/database.ts';
import { makeTestDatabase } from '../harness/database.ts';

let testDatabase: TestDatabase;
let database: Database;
test.before(async () => {
  testDatabase = await makeTestDatabase();
  database = connectDatabase(testDatabase.url, { poolSize: 4, applicationName: 'test' });
});
test.after.always(async () => {
  await database.close();
  await testDatabase.drop();
});

/** Records an act of the operator for an organization of its own, some days ago. */
async function recordAgo(days: number) {
  const organizationId = toId<'organization'>(randomUUID());
  await recordAudit(database, operatorCaller('a test', organizationId), {
    kind: 'organization.plan_changed',
    subject: { kind: 'organization', id: organizationId },
    fields: ['plan'],
  });
  if (days > 0) {
    await execute(
      database,
      `insert into audit_events (id, organization_id, kind, actor, operation, created_at)
       select gen_random_uuid(), organization_id, kind, actor, operation, created_at - make_interval(days => $2)
       from audit_events where organization_id = $1`,
      [organizationId, days],
    );
  }
  return organizationId;
}

const countOf = async (organizationId: string): Promise<number> =>
  (await select(database, 'select from audit_events where organization_id = $1', [organizationId])).length;

test('a row is never changed, and never removed in its first 90 days', async (t) => {
  const id = await recordAgo(91);
  const appendOnly = { message: /append-only/ };
  for (const sql of [
    `update audit_events set kind = 'user.edited' where organization_id = $1`,
    'delete from audit_events where organization_id = $1',
  ]) {
    await t.throwsAsync(execute(database, sql, [id]), appendOnly, sql);
  }
  await t.throwsAsync(execute(database, 'truncate audit_events'), appendOnly);
  t.is(await countOf(id), 2);
  await execute(
    database,
    `delete from audit_events where organization_id = $1 and created_at < now() - interval '90 days'`,
    [id],
  );
  t.is(await countOf(id), 1);
});

test('a row is committed with the act that it records, or not at all', async (t) => {
  const organizationId = toId<'organization'>(randomUUID());
  const caller = operatorCaller('a test', organizationId);
  const act = (fails: boolean) =>
    inTransaction(database, async (transaction) => {
      await inTransaction(transaction, (inner) => recordAudit(inner, caller, { kind: 'user.edited' }));
      if (fails) throw new Error('the act failed');
    });
  await t.throwsAsync(act(true), { message: 'the act failed' });
  t.is(await countOf(organizationId), 0);
  await act(false);
  t.is(await countOf(organizationId), 1);
});

async function exportLog(...argv: readonly string[]) {
  const printed: string[] = [];
  const printedErrors: string[] = [];
  const code = await runCommand(command, {
    arguments: ['export', ...argv],
    environment: { DATABASE_URL: testDatabase.url },
    projectFolder: '/nowhere',
    print: (text: string) => printed.push(text),
    printError: (text: string) => printedErrors.push(text),
  });
  const rows = printed.map((text): unknown => JSON.parse(text));
  return { code, rows, printedErrors: printedErrors.join('\n') };
}

test('the operator exports a span of the log as JSON lines, and the export is in the log', async (t) => {
  const id = await recordAgo(2);
  const span = ['--from', '2020-01-01', '--to', '2199-01-01T00:00:00Z'];
  const { code, rows } = await exportLog(...span, '--organization', id);
  t.is(code, 0);
  t.like(rows, [
    { kind: 'organization.plan_changed', organizationId: id },
    { kind: 'organization.plan_changed', fields: ['plan'], subjectId: id, actor: 'operator', userId: null },
    { kind: 'audit.exported', operation: 'audit export' },
  ]);
  t.is(rows.length, 3);
  const yesterday = new Date(Date.now() - 86_400_000).toISOString();
  t.is((await exportLog('--from', '2020-01-01', '--to', yesterday, '--organization', id)).rows.length, 1);
});

test('an export of more rows than one read has each of them once, in their order', async (t) => {
  const id = toId<'organization'>(randomUUID());
  await execute(
    database,
    `insert into audit_events (id, organization_id, kind, actor, operation, count, created_at)
     select gen_random_uuid(), $1, 'webhooks.replayed', 'operator', 'a test', n, timestamptz '2026-01-01 00:00:00.000001Z' + n / 10 * interval '1 microsecond'
     from generate_series(1, 2500) as n`,
    [id],
  );
  const { rows } = await exportLog('--from', '2026-01-01', '--to', '2026-01-02', '--organization', id);
  const ids = new Set(rows.map((row) => JSON.stringify(row)));
  t.deepEqual([rows.length, ids.size], [2_500, 2_500]);
});

test('an export without a span, or with an unknown one, says what is missing', async (t) => {
  for (const [argv, message] of [
    [[], /--from must be a day.*\n--to must be a day/],
    [['--from', '2026-02-01', '--to', '2026-01-01'], /--from must be before --to/],
    [['--from', 'May', '--to', '2026-01-01'], /--from must be a day/],
    [['--from', '2026-01-01', '--to', '2026-02-01', '--organization', 'x'], /organization’s id/],
    [['--since', 'x'], /Usage: npm run audit/],
  ] as const) {
    const { code, printedErrors } = await exportLog(...argv);
    t.is(code, 1);
    t.regex(printedErrors, message);
  }
});
