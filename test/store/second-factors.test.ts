import test from 'ava';
import {
  confirmSecondFactor,
  findSecondFactor,
  offerSecondFactor,
} from '../../store/accounts/second-factors.ts';
import { tenant } from '../../store/tenant.ts';
import { makeTeam } from '../harness/make.ts';
import { useService } from '../harness/use-service.ts';

const service = useService({ withWorkers: false });

async function scene() {
  const { organization, user } = await makeTeam(service);
  const scope = tenant(service.database, organization.id);
  return { id: user.id, scope, stored: () => findSecondFactor(service.database, user.id) };
}

test('a secret that was offered after the one whose code was checked is not confirmed', async (t) => {
  const { id, scope, stored } = await scene();
  await offerSecondFactor(scope, id, 'FIRST');
  const { sealedSecret: checked = '' } = (await stored()) ?? {};
  await offerSecondFactor(scope, id, 'SECOND');
  t.false(await confirmSecondFactor(scope, id, { sealedSecret: checked, step: 1 }, []));
  const later = await stored();
  t.like(later, { secret: 'SECOND', confirmedAt: null });
  t.true(await confirmSecondFactor(scope, id, { sealedSecret: later?.sealedSecret ?? '', step: 1 }, []));
});
