import { randomBytes } from 'node:crypto';
import test from 'ava';
import {
  confirmSecondFactor,
  findSecondFactor,
  offerSecondFactor,
  removeSecondFactor,
  replaceRecoveryCodes,
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

test('of new recovery codes that are made at once, the last stay; none where the factor is removed', async (t) => {
  const { id, scope, stored } = await scene();
  await offerSecondFactor(scope, id, 'SECRET');
  t.false(await replaceRecoveryCodes(scope, id, [randomBytes(32)]), 'not confirmed');
  await confirmSecondFactor(scope, id, { sealedSecret: (await stored())?.sealedSecret ?? '', step: 1 }, []);
  const replace = () => replaceRecoveryCodes(scope, id, [randomBytes(32), randomBytes(32)]);
  t.deepEqual(await Promise.all([replace(), replace(), replace()]), [true, true, true]);
  t.is((await stored())?.recoveryCodesLeft, 2);
  await removeSecondFactor(scope, id);
  t.false(await replace());
});
