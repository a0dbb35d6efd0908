import test from 'ava';
import { commandActivity } from '../../store/commands/command-activity.ts';
import { connectDatabase, selectOne } from '../../store/connection.ts';
import { makeTestDatabase } from '../harness/database.ts';

test('commands are active for two seconds after one was accepted, by whichever process', async (t) => {
  const testDatabase = await makeTestDatabase();
  const database = connectDatabase(testDatabase.url, { poolSize: 1, applicationName: 'test' });
  t.teardown(async () => {
    await database.close();
    await testDatabase.drop();
  });
  let nowMs = 0;
  const areCommandsActive = commandActivity(database, () => nowMs);
  const accept = () => selectOne(database, `select nextval('commands_number_seq')`, []);
  /** Half a second later: the sample that a call sets off, and then what it showed. There is one connection for both. */
  const later = async (): Promise<boolean> => {
    nowMs += 500;
    areCommandsActive();
    await selectOne(database, 'select 1', []);
    return areCommandsActive();
  };
  await accept();
  t.false(await later());
  await accept();
  t.true(await later());
  t.true(await later());
  nowMs += 1_499;
  t.true(areCommandsActive());
  nowMs += 1;
  t.false(areCommandsActive());
});
