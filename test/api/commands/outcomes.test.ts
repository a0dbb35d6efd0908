import test from 'ava';
import { execute } from '../../../store/connection.ts';
import { COMMAND_DECIDED_CHANNEL } from '../../../store/commands/outcome-notifications.ts';
import { newId } from '../../../store/new-id.ts';
import { useService } from '../../harness/use-service.ts';

const service = useService({ withWorkers: false });

test('each of several callers who wait for one command gets its outcome', async (t) => {
  const { database, dependencies } = service;
  const id = newId<'command'>();
  const callers = [1, 2, 3].map(() => dependencies.outcomes.waitForOutcome(id, 20_000));
  const impatient = await dependencies.outcomes.waitForOutcome(id, 0);
  t.is(impatient, 'timed_out', 'and one that gives up takes nothing from the others');
  // The connection that listens may still be on its way.
  const repeated = setInterval(
    () => void execute(database, 'select pg_notify($1, $2)', [COMMAND_DECIDED_CHANNEL, `${id} applied`]),
    50,
  );
  t.deepEqual(await Promise.all(callers), ['applied', 'applied', 'applied']);
  clearInterval(repeated);
});
