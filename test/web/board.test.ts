import test from 'ava';
import type { Route } from 'playwright-core';
import { execute } from '../../store/connection.ts';
import { makePickupPoint, PASSWORD } from '../harness/make.ts';
import { makeShipment, move } from '../harness/moves.ts';
import { at, listAt, send, textAt } from '../harness/request.ts';
import { until } from '../harness/until.ts';
import { cardIn, dragTo, laneOf, makeBoard, makeNamed } from './board-page.ts';
import { useDesk } from './desk.ts';

const { service, open } = useDesk();

async function taskOf(token: string, iri: string): Promise<unknown> {
  return (await send(service, 'GET', iri, { token })).body;
}

async function transitionsOf(token: string, shipment: string): Promise<readonly unknown[]> {
  const { body } = await send(service, 'GET', shipment, { token });
  return listAt(body, 'timeline').flatMap((entry) => at(entry, 'transition') ?? []);
}

test.serial(
  'dragging a card and pressing its keys give a task to a driver, take it back, and undo',
  async (t) => {
    const { token, user, driverIds, shipments } = await makeBoard(service);
    const [amal, badr] = shipments;
    const { page } = await open(t, { user, path: '/board' });
    await dragTo(page, cardIn(page, 'Unassigned', 'Amal'), laneOf(page, 'Karim Moreau'));
    await cardIn(page, 'Karim Moreau', 'Amal').waitFor();
    await cardIn(page, 'Unassigned', 'Badr').focus();
    await page.keyboard.press('a');
    await page.getByRole('combobox', { name: 'Driver' }).fill('kar');
    await page.keyboard.press('Enter');
    await cardIn(page, 'Karim Moreau', 'Badr').waitFor();
    await page.getByText('Badr Haddad → Karim Moreau ✓').waitFor();
    for (const shipment of [amal, badr])
      t.is(at(await taskOf(token, shipment?.delivery ?? ''), 'driver'), `/api/v1/drivers/${driverIds[0]}`);

    await page.keyboard.press('Control+z');
    await cardIn(page, 'Unassigned', 'Badr').waitFor();
    await page.getByText('Taken back.').waitFor();
    t.is(at(await taskOf(token, badr?.delivery ?? ''), 'status'), 'pending');
    // The focus comes back with the card.
    await page.waitForFunction('document.activeElement?.textContent.includes("Badr")');
    await cardIn(page, 'Karim Moreau', 'Amal').focus();
    await page.keyboard.press('u');
    await cardIn(page, 'Unassigned', 'Amal').waitFor();
    await page.getByText('taken from the driver ✓').waitFor();
    t.deepEqual(await transitionsOf(token, amal?.iri ?? ''), ['assign', 'unassign']);
    // Nothing has the focus: letters move no card, an arrow gives the focus back. There they say why a move is none.
    await page.evaluate('document.activeElement.blur()');
    await page.keyboard.press('u');
    await page.keyboard.press('?');
    await page.getByRole('dialog').waitFor();
    t.is(await page.getByText('Nothing changes').count(), 0);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.evaluate('document.activeElement.blur()');
    await page.keyboard.press('ArrowDown');
    await page.waitForFunction('document.activeElement?.getAttribute("role") === "row"');
    await page.keyboard.press('u');
    await page.getByText('Nothing changes: it is like that already.').waitFor();
    await page.keyboard.press('r');
    await cardIn(page, 'Unassigned', 'Amal').getByText('Not assigned since').waitFor();
    await page.keyboard.press('Control+z');
    await page.getByText('There is no move of the last 10 seconds that can be taken back.').waitFor();
  },
);

test.serial(
  'many cards move together by mouse and by keys, with their shipments or with Alt alone',
  async (t) => {
    const { organization, token, user, driverIds, shipments } = await makeBoard(service);
    const pickupPoint = await makePickupPoint(service, organization);
    const pair = await makeShipment(service, token, { pickupPoint });
    const { page } = await open(t, { user, path: '/board' });
    const names = new Map(driverIds.map((id, index) => [`/api/v1/drivers/${id}`, ['Karim', 'Lina'][index]]));
    const tasks = [...shipments.map(({ delivery }) => delivery), pair.pickup ?? '', pair.delivery];
    const driversOf = () =>
      Promise.all(
        tasks.map(async (task) => names.get(String(at(await taskOf(token, task), 'driver'))) ?? '-'),
      );
    // A card that was clicked is chosen: with Ctrl a second one joins it.
    await cardIn(page, 'Unassigned', 'Amal').click();
    await cardIn(page, 'Unassigned', 'Badr').click({ modifiers: ['Control'] });
    await page.getByText('2 selected').waitFor();
    await dragTo(page, cardIn(page, 'Unassigned', 'Badr'), laneOf(page, 'Karim Moreau'));
    await page.getByText('2 tasks → Karim Moreau ✓').waitFor();
    t.deepEqual(await driversOf(), ['Karim', 'Karim', '-', '-', '-']);
    await cardIn(page, 'Karim Moreau', 'Amal').focus();
    await page.keyboard.press('Control+a');
    await page.keyboard.press('a');
    await page.getByRole('combobox', { name: 'Driver' }).fill('lina');
    await page.keyboard.press('Enter');
    await page.getByText('2 tasks → Lina Moreau ✓').waitFor();
    t.deepEqual(await driversOf(), ['Lina', 'Lina', '-', '-', '-']);
    await page.keyboard.press('Control+z');
    await page.getByText('Taken back.').waitFor();
    t.deepEqual(await driversOf(), ['Karim', 'Karim', '-', '-', '-']);

    const pickup = laneOf(page, 'Unassigned').getByRole('row', { name: /Pickup Amina/ });
    await page.keyboard.down('Alt');
    await dragTo(page, pickup, laneOf(page, 'Lina Moreau'));
    await page.keyboard.up('Alt');
    await page.getByText('Amina Haddad → Lina Moreau ✓').waitFor();
    t.deepEqual(await driversOf(), ['Karim', 'Karim', '-', 'Lina', '-']);
    await laneOf(page, 'Lina Moreau')
      .getByRole('row', { name: /Pickup Amina/ })
      .focus();
    await page.keyboard.press('u');
    await page.getByText('taken from the driver ✓').waitFor();
    await dragTo(page, pickup, laneOf(page, 'Karim Moreau'));
    await page.getByText('2 tasks → Karim Moreau ✓').waitFor();
    t.deepEqual(await driversOf(), ['Karim', 'Karim', '-', 'Karim', 'Karim']);
  },
);

test.serial('a run has the order that dragging and the keys give it', async (t) => {
  const { token, user, driverIds, shipments } = await makeBoard(service);
  const tasks = shipments.map(({ delivery }) => delivery);
  const driver = driverIds[0] ?? '';
  const body = { driver, name: 'East', tasks: tasks.slice(0, 2) };
  const run = textAt((await send(service, 'POST', '/delivery-runs', { token, body })).body, '@id');
  const left = textAt(
    (await send(service, 'POST', '/delivery-runs', { token, body: { tasks: tasks.slice(2) } })).body,
    '@id',
  );
  const { page } = await open(t, { user, path: '/board' });
  const removals: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'DELETE') removals.push(request.url());
  });
  const order = async () =>
    listAt((await send(service, 'GET', run, { token })).body, 'tasks').map((task) =>
      tasks.indexOf(textAt(task, '@id')),
    );
  await dragTo(page, cardIn(page, 'Unassigned', 'Chadi'), cardIn(page, 'Karim Moreau', 'Badr'), true);
  await page.getByText('Chadi Haddad → Karim Moreau ✓').waitFor();
  t.deepEqual(await order(), [0, 2, 1]);
  // It left the other run in the same step.
  t.deepEqual(listAt((await send(service, 'GET', left, { token })).body, 'tasks'), []);
  t.deepEqual(removals, []);
  await cardIn(page, 'Karim Moreau', 'Badr').focus();
  await page.keyboard.press('Alt+ArrowUp');
  await page.getByText('Badr Haddad: another place in the run ✓').waitFor();
  t.deepEqual(await order(), [0, 1, 2]);
  // Pressed faster than the service answers: each press counts, and one undo takes all of them back.
  await cardIn(page, 'Karim Moreau', 'Chadi').focus();
  await page.keyboard.press('Alt+ArrowUp');
  await page.keyboard.press('Alt+ArrowUp');
  await until(async () => (await order()).join() === '2,0,1', 'the card did not go up twice');
  await page.getByText('Chadi Haddad: another place in the run ✓').waitFor();
  await page.keyboard.press('Control+z');
  await page.getByText('Taken back.').waitFor();
  t.deepEqual(await order(), [0, 1, 2]);
  // A task of the same driver that was in no run is in none after an undo.
  const dalila = (await makeNamed(service, token, 'Dalila')).delivery;
  await move(service, token, dalila, 'assign', { driver });
  await cardIn(page, 'Karim Moreau', 'Dalila').waitFor();
  await dragTo(page, cardIn(page, 'Karim Moreau', 'Dalila'), cardIn(page, 'Karim Moreau', 'Amal'), true);
  await page.getByText('Dalila Haddad → run East ✓').waitFor();
  t.deepEqual(await order(), [-1, 0, 1, 2]);
  await page.keyboard.press('Control+z');
  await page.getByText('Taken back.').waitFor();
  t.deepEqual(await order(), [0, 1, 2]);
  // Where another run begins below, the last place of this one is still a place.
  await send(service, 'POST', '/delivery-runs', { token, body: { driver, tasks: [dalila] } });
  await cardIn(page, 'Karim Moreau', 'Badr').focus();
  await page.keyboard.press('Alt+ArrowDown');
  await page.getByText('Badr Haddad: another place in the run ✓').waitFor();
  t.deepEqual(await order(), [0, 2, 1]);
  // A key that is pressed once too often leaves the card in its run; with Shift it goes into the next one.
  await page.keyboard.press('Alt+ArrowDown');
  await page.getByText('It is the last of its run.').waitFor();
  await cardIn(page, 'Karim Moreau', 'Dalila').focus();
  await page.keyboard.press('Alt+ArrowUp');
  await page.getByText('It is the first of its run.').waitFor();
  t.deepEqual(await order(), [0, 2, 1]);
  await page.keyboard.press('Alt+Shift+ArrowUp');
  await page.getByText('Dalila Haddad → run East ✓').waitFor();
  t.deepEqual(await order(), [0, 2, 1, -1]);
  await page.keyboard.press('Control+z');
  await page.getByText('Taken back.').waitFor();
  t.deepEqual(await order(), [0, 2, 1]);
});

test.serial(
  'a rejected move puts the card back, keeps its focus, and says what can be done now',
  async (t) => {
    const { token, user, driverIds, shipments } = await makeBoard(service, { shipments: ['Amal'] });
    const task = shipments[0]?.delivery ?? '';
    const { page, context } = await open(t, { user, path: '/board' });
    await cardIn(page, 'Unassigned', 'Amal').waitFor();
    // Somebody else is quicker, and this screen does not hear of it before its own move.
    const beforeIt = async (route: Route) => {
      await move(service, token, task, 'assign', { driver: driverIds[1] });
      await move(service, token, task, 'start_delivery');
      await route.continue();
    };
    await context.route('**/tasks/transitions', beforeIt, { times: 1 });
    await cardIn(page, 'Unassigned', 'Amal').focus();
    await page.keyboard.press('a');
    await page.getByRole('combobox', { name: 'Driver' }).fill('karim');
    await page.keyboard.press('Enter');
    const card = cardIn(page, 'Lina Moreau', 'Amal');
    await card.getByText(/On the way since \d\d:\d\d, by Test ROLE_DISPATCHER/).waitFor();
    await page.getByRole('status').getByText('Not done: Amal Haddad. On the way').waitFor();
    await page.waitForFunction('document.activeElement?.getAttribute("role") === "row"');
    await card.getByRole('button', { name: 'Mark as delivered' }).click();
    await page.getByText('Amal Haddad ✓').waitFor();
    await cardIn(page, 'Done', 'Amal').waitFor({ state: 'attached' });
    t.is(at(await taskOf(token, task), 'status'), 'delivered');
  },
);

test.serial(
  'a lost answer is asked for again and applies once; a 503 leaves the move to be sent again',
  async (t) => {
    const { token, user, shipments } = await makeBoard(service, { shipments: ['Amal', 'Badr'] });
    const { page, context } = await open(t, { user, path: '/board' });
    // No changes arrive: only the answers tell.
    await context.route('**/api/v1/changes*', (route) => route.abort());
    const bodies: string[] = [];
    await context.route('**/tasks/transitions', async (route) => {
      bodies.push(route.request().postData() ?? '');
      if (bodies.length === 1) {
        await route.fetch();
        await route.abort('connectionreset');
      } else if (bodies.length === 3)
        await route.fulfill({ status: 503, json: { status: 503, title: 'Away' } });
      else await route.continue();
    });
    await dragTo(page, cardIn(page, 'Unassigned', 'Amal'), laneOf(page, 'Karim Moreau'));
    await page.getByText('Amal Haddad → Karim Moreau ✓').waitFor();
    t.is(bodies.length, 2);
    t.is(bodies[0], bodies[1], 'the same keys');
    t.deepEqual(await transitionsOf(token, shipments[0]?.iri ?? ''), ['assign']);

    // It may come and go while the test looks at other things, and between two looks of a locator.
    const strip = page.evaluate(String.raw`new Promise((resolve) => {
      const look = () => /What you see is as it was at \d\d:\d\d/.test(document.body.textContent) && resolve();
      new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
    })`);
    await dragTo(page, cardIn(page, 'Unassigned', 'Badr'), laneOf(page, 'Karim Moreau'));
    await page.getByText('1 move was not sent.').waitFor();
    await page.getByText('The service cannot answer now. Nothing was sent.').waitFor();
    await cardIn(page, 'Karim Moreau', 'Badr').getByText('Not sent').waitFor();
    t.is(at(await taskOf(token, shipments[1]?.delivery ?? ''), 'status'), 'pending');
    // What was read stays, with its age, and the page finds out by itself that the service is back.
    await strip;
    await page.getByText(/What you see is as it was/).waitFor({ state: 'detached' });
    // Another screen and back: the move still waits.
    await page.getByRole('link', { name: 'Drivers' }).click();
    await page.getByRole('heading', { name: 'Drivers' }).waitFor();
    await page.getByRole('link', { name: 'Board' }).click();
    await cardIn(page, 'Karim Moreau', 'Badr').getByText('Not sent').waitFor();
    await page.getByRole('button', { name: 'Send again' }).click();
    await page.getByText('Badr Haddad → Karim Moreau ✓').waitFor();
    t.deepEqual(await transitionsOf(token, shipments[1]?.iri ?? ''), ['assign']);
    // The button is gone, and the keys work on.
    await page.waitForFunction('document.activeElement?.getAttribute("role") === "row"');
  },
);

test.serial(
  'a move that is accepted and not decided stays marked until the changes tell its outcome',
  async (t) => {
    const { token, user, driverIds, shipments } = await makeBoard(service, { shipments: ['Amal'] });
    const task = shipments[0]?.delivery ?? '';
    const { page, context } = await open(t, { user, path: '/board' });
    const command = '/api/v1/commands/3f0c2f1e-7f55-4c3e-9c39-2a0d0f6f5a11';
    const results = [{ task, status: 'pending', command }];
    await context.route('**/tasks/transitions', (route) => route.fulfill({ json: { total: 1, results } }));
    await context.route('**/commands/*', (route) => route.fulfill({ json: { status: 'received' } }));
    await dragTo(page, cardIn(page, 'Unassigned', 'Amal'), laneOf(page, 'Karim Moreau'));
    await cardIn(page, 'Karim Moreau', 'Amal').getByText('Accepted, not decided yet').waitFor();
    await cardIn(page, 'Karim Moreau', 'Amal').focus();
    await page.keyboard.press('u');
    await page.getByText('Not done: this card still waits for the answer').waitFor();
    await move(service, token, task, 'assign', { driver: driverIds[0] });
    await cardIn(page, 'Karim Moreau', 'Amal').getByText('1 rue de Rivoli').waitFor();
    t.is(await page.getByText('Accepted, not decided yet').count(), 0);
  },
);

test.serial('a move is made after the sign-in where the session ended meanwhile', async (t) => {
  const { token, user, shipments } = await makeBoard(service, { shipments: ['Amal'] });
  const { page, context } = await open(t, { user, path: '/board' });
  await cardIn(page, 'Unassigned', 'Amal').waitFor();
  const afterItsEnd = async (route: Route) => {
    await execute(
      service.database,
      `update sessions set revoked_at = clock_timestamp(), revoked_because = 'signed_out'
       where user_id = $1 and idle_expires_at is not null`,
      [user.id],
    );
    await route.continue();
  };
  await context.route('**/tasks/transitions', afterItsEnd, { times: 1 });
  await dragTo(page, cardIn(page, 'Unassigned', 'Amal'), laneOf(page, 'Karim Moreau'));
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('Amal Haddad → Karim Moreau ✓').waitFor();
  t.deepEqual(await transitionsOf(token, shipments[0]?.iri ?? ''), ['assign']);
});
