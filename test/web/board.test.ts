import { mkdir } from 'node:fs/promises';
import test from 'ava';
import { makeDriver, makePickupPoint, makeTeam } from '../harness/make.ts';
import { makeShipment } from '../harness/moves.ts';
import { useDesk } from './desk.ts';

const { service, open } = useDesk();

test('scratch', async (t) => {
  const { token, organization, user } = await makeTeam(service);
  const names = ['Karim', 'Lina', 'مريم', 'x'.repeat(255), '<b>Bold</b>', '‮evil', 'Zoé 🚚', 'Omar'];
  for (const firstName of names) await makeDriver(service, organization, { firstName });
  const pickupPoint = await makePickupPoint(service, organization);
  for (let i = 0; i < 14; i += 1) {
    await makeShipment(service, token, {
      ...(i % 4 === 0 ? { pickupPoint } : {}),
      fields: {
      codAmount: `${i * 10}.00`,
      recipient: {
        firstName: names[i % names.length]?.slice(0, 100),
        lastName: 'Haddad',
        phoneNumber: '+33612345678',
        address: { street: `${i} rue de Rivoli`, city: 'Paris', postalCode: '75001', ...(i % 3 ? { latitude: 48.85, longitude: 2.35 } : {}) },
      } },
    });
  }
  await mkdir('/tmp/w-board', { recursive: true });
  const { page } = await open(t, { user, path: '/board' });
  await page.getByRole('row').first().waitFor();
  await page.screenshot({ path: '/tmp/w-board/light.png' });
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('a');
  await page.getByRole('combobox', { name: 'Driver' }).waitFor();
  await page.screenshot({ path: '/tmp/w-board/chooser.png' });
  await page.keyboard.press('Enter');
  await page.waitForTimeout(1500);
  await page.screenshot({ path: '/tmp/w-board/assigned.png' });
  t.pass();
});
