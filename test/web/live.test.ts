import test from 'ava';
import type { ExecutionContext } from 'ava';
import type { Page, Request, Route } from 'playwright-core';
import { execute } from '../../store/connection.ts';
import { startFlakyProxy } from '../harness/flaky-proxy.ts';
import { makeDriver } from '../harness/make.ts';
import { move } from '../harness/moves.ts';
import { send, textAt } from '../harness/request.ts';
import { cardIn, dragTo, laneOf, makeBoard, makeCrowd, makeNamed } from './board-page.ts';
import { useDesk } from './desk.ts';
import { readLanes } from './lane-reading.ts';

const { service, open } = useDesk();
/** Whether a request reads the board of today. */
const isBoard = (url: string) => url.endsWith('/desk/api/v1/board');

/** A board whose connections can be cut, and what compares it with a fresh one. */
async function openBoard(t: ExecutionContext) {
  const made = await makeBoard(service, { shipments: ['Amal', 'Badr', 'Chadi', 'Dalila'] });
  const proxy = await startFlakyProxy(service.baseUrl);
  t.teardown(proxy.stop);
  const { page, context } = await open(t, { user: made.user });
  await page.goto(new URL('/desk/board', proxy.url).href);
  await cardIn(page, 'Unassigned', 'Amal').waitFor();
  const sameAsFresh = async () => {
    const fresh = await open(t, { user: made.user, path: '/board' });
    await fresh.page.locator('[data-task]').first().waitFor();
    t.deepEqual(await readLanes(page), await readLanes(fresh.page));
    await fresh.context.close();
  };
  return { ...made, page, context, proxy, sameAsFresh };
}

/** Waits until the strip says that the connection is lost, or no longer does. */
function strip(page: Page, state: 'visible' | 'detached'): Promise<void> {
  return page.getByText('The service cannot be reached.').waitFor({ state });
}

test.serial('a page that was cut off while 10,000 tasks came has the rows of a fresh board', async (t) => {
  const board = await openBoard(t);
  const { page, proxy, token, driverIds, organization, shipments } = board;
  const [amal, badr, chadi, dalila] = shipments;
  const [karim, lina] = driverIds;
  let reads = 0;
  page.on('request', (request) => {
    if (isBoard(request.url())) reads += 1;
  });
  await page.evaluate('window.isSamePage = true');
  proxy.disconnect();
  await strip(page, 'visible');
  await cardIn(page, 'Unassigned', 'Amal').waitFor();
  await move(service, token, amal?.delivery ?? '', 'assign', { driver: karim });
  await move(service, token, badr?.delivery ?? '', 'assign', { driver: lina });
  await move(service, token, badr?.delivery ?? '', 'start_delivery');
  await move(service, token, badr?.delivery ?? '', 'deliver');
  await move(service, token, chadi?.delivery ?? '', 'cancel');
  await makeDriver(service, organization, { firstName: 'Zohra' });
  await makeNamed(service, token, 'Emna');
  const body = { driver: karim, tasks: [dalila?.delivery] };
  await send(service, 'POST', '/delivery-runs', { token, body });
  await makeCrowd(service, organization.id, { drivers: 200, tasks: 10_000 });
  proxy.reconnect();
  await laneOf(page, 'Unassigned').getByText('10,001 tasks').waitFor();
  await strip(page, 'detached');
  await board.sameAsFresh();
  t.is(reads, 0, 'the changes were enough');
  t.true(await page.evaluate('window.isSamePage'));

  const cards = page.locator('[data-task]');
  t.true((await cards.count()) <= 150, 'of 10,000 tasks and 200 drivers');
  await laneOf(page, 'Unassigned').locator('[data-task]').first().focus();
  await page.keyboard.press('End');
  await page.locator('[aria-rowindex="10001"]').waitFor();
  t.true((await cards.count()) <= 150);
  await page.keyboard.press('/');
  await page.keyboard.type('emna');
  await laneOf(page, 'Unassigned').getByText('1 of 10,001').waitFor();
  t.is(await cards.count(), 1);
});

test.serial(
  'after a crash of the database, a sleep and a stream that ended, a page reads what is so',
  async (t) => {
    const board = await openBoard(t);
    const { page, proxy, token, driverIds, shipments } = board;
    const [amal, badr, chadi] = shipments;
    // A crash of PostgreSQL empties these tables, and the numbers of transactions may be given again.
    proxy.disconnect();
    await strip(page, 'visible');
    await execute(service.database, 'truncate changes, change_epoch, change_marks, change_caps', []);
    await move(service, token, amal?.delivery ?? '', 'assign', { driver: driverIds[0] });
    const read = page.waitForResponse((response) => isBoard(response.url()));
    proxy.reconnect();
    await read;
    await cardIn(page, 'Karim Moreau', 'Amal').waitFor();
    // A computer that slept has a connection that is dead, and does not know.
    proxy.freeze();
    await move(service, token, badr?.delivery ?? '', 'assign', { driver: driverIds[0] });
    const again = page.waitForRequest(/\/changes\?/);
    await page.evaluate('{ const now = Date.now.bind(Date); Date.now = () => now() + 120_000; }');
    await again;
    proxy.reconnect();
    await cardIn(page, 'Karim Moreau', 'Badr').waitFor();
    await move(service, token, chadi?.delivery ?? '', 'assign', { driver: driverIds[1] });
    await cardIn(page, 'Lina Moreau', 'Chadi').waitFor();
    await board.sameAsFresh();
  },
);

test.serial('eight tabs are live by one stream', async (t) => {
  const { token, user, driverIds, shipments } = await makeBoard(service, { shipments: ['Amal'] });
  const desk = await open(t, { user, path: '/settings' });
  // Its tab has the stream: without it the first of the boards does.
  await desk.page.close();
  const streams = new Set<Request>();
  desk.context.on('request', (request) => {
    if (request.url().includes('/api/v1/changes')) streams.add(request);
  });
  desk.context.on('requestfailed', (request) => streams.delete(request));
  desk.context.on('requestfinished', (request) => streams.delete(request));
  const tabs: Page[] = [];
  while (tabs.length < 8) tabs.push(await desk.openTab('/board'));
  for (const page of tabs) await cardIn(page, 'Unassigned', 'Amal').waitFor();
  await move(service, token, shipments[0]?.delivery ?? '', 'assign', { driver: driverIds[0] });
  for (const page of tabs) await cardIn(page, 'Karim Moreau', 'Amal').waitFor({ state: 'attached' });
  t.is(streams.size, 1);
  // The tab that holds the stream closes: another goes on.
  streams.clear();
  await tabs[0]?.close();
  await move(service, token, shipments[0]?.delivery ?? '', 'unassign');
  for (const page of tabs.slice(1)) await cardIn(page, 'Unassigned', 'Amal').waitFor({ state: 'attached' });
  t.is(streams.size, 1);
});

test.serial(
  'an address with a driver shows that driver alone, and a task that is given away leaves',
  async (t) => {
    const { token, user, driverIds, shipments } = await makeBoard(service);
    const [karim, lina] = driverIds;
    for (const { delivery } of shipments.slice(0, 2))
      await move(service, token, delivery, 'assign', { driver: karim });
    await move(service, token, shipments[2]?.delivery ?? '', 'assign', { driver: lina });
    const { page } = await open(t, { user, path: `/board?driver=${karim}` });
    await cardIn(page, 'Karim Moreau', 'Amal').waitFor();
    t.is(await page.locator('[data-task]').count(), 2);
    t.is(await laneOf(page, 'Lina Moreau').count(), 0);
    await move(service, token, shipments[1]?.delivery ?? '', 'assign', { driver: lina });
    await cardIn(page, 'Karim Moreau', 'Badr').waitFor({ state: 'detached' });
    t.is(await page.locator('[data-task]').count(), 1);
  },
);

/** Notes which card, or which other element of the lanes, each change of the page is in. */
const WATCH_REDRAWS = `
  window.seen = new Set();
  new MutationObserver((records) => {
    for (const { target } of records) {
      const element = target instanceof Element ? target : target.parentElement;
      window.seen.add(element.closest('[data-task]')?.dataset.task ?? element.outerHTML.slice(0, 80));
    }
  }).observe(document.querySelector('[data-drop]').parentElement.parentElement, {
    subtree: true, childList: true, characterData: true, attributes: true,
  });`;

test.serial(
  'two who move the same card at once end with the same picture, and one change redraws one card',
  async (t) => {
    const { token, user, driverIds, shipments } = await makeBoard(service);
    const one = await open(t, { user, path: '/board' });
    const other = await open(t, { user, path: '/board' });
    // Neither request goes on before both are there.
    const held: Route[] = [];
    const hold = async (route: Route) => {
      held.push(route);
      if (held.length === 2) await Promise.all(held.map((each) => each.continue()));
    };
    for (const { context } of [one, other]) await context.route('**/tasks/transitions', hold, { times: 1 });
    await Promise.all([
      dragTo(one.page, cardIn(one.page, 'Unassigned', 'Amal'), laneOf(one.page, 'Karim Moreau')),
      dragTo(other.page, cardIn(other.page, 'Unassigned', 'Amal'), laneOf(other.page, 'Lina Moreau')),
    ]);
    for (const { page } of [one, other]) await page.getByText(/Amal Haddad → \w+ Moreau ✓/).waitFor();
    const driver = textAt(
      (await send(service, 'GET', shipments[0]?.delivery ?? '', { token })).body,
      'driver',
    );
    const lane = driver.endsWith(driverIds[0] ?? '-') ? 'Karim Moreau' : 'Lina Moreau';
    for (const { page } of [one, other]) await cardIn(page, lane, 'Amal').waitFor();

    await one.page.evaluate(WATCH_REDRAWS);
    await move(service, token, shipments[0]?.delivery ?? '', 'start_delivery');
    await cardIn(one.page, lane, 'Amal').getByRole('img', { name: 'On the way' }).waitFor();
    const seen = await one.page.evaluate('[...window.seen]');
    t.deepEqual(seen, [shipments[0]?.delivery]);
  },
);
