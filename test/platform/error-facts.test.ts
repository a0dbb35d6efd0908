import test from 'ava';
import { errorFacts } from '../../platform/error-facts.ts';
import { connectDatabase, execute } from '../../store/connection.ts';
import { makeTestDatabase } from '../harness/database.ts';
import { loggedFields } from '../../worker/temporal-runtime.ts';

test('what is logged of a database error has its code and no value of a row', async (t) => {
  const testDatabase = await makeTestDatabase();
  const database = connectDatabase(testDatabase.url, { poolSize: 1, applicationName: 'test' });
  t.teardown(async () => {
    await database.close();
    await testDatabase.drop();
  });
  await execute(database, 'create temporary table phones (phone text unique)');
  const insert = () => execute(database, 'insert into phones values ($1)', ['+33639980001']);
  await insert();
  const error: unknown = await t.throwsAsync(insert());
  t.true(JSON.stringify(error).includes('+33639980001'), 'the error itself has it');
  const logged = [
    errorFacts(error),
    loggedFields({ error, workflowId: 'shipment-1', args: ['+33639980001'] }),
  ];
  for (const facts of logged) {
    t.like(facts, { error: 'SequelizeDatabaseError', code: '23505' });
    t.false(JSON.stringify(facts).includes('+33'));
  }
  t.like(logged[1], { workflowId: 'shipment-1' });
});

test('a message of several lines does not get into the logged stack', (t) => {
  const { stack = '' } = errorFacts(new Error('first\nsecond: +33639980001'));
  t.regex(stack, /^\s+at /);
  t.false(stack.includes('+33'));
});
