import type { Page } from 'playwright-core';
import { cardIn, dragTo, laneOf } from '../../../test/web/board-page.ts';
import type { BenchCase } from '../../case.ts';
import { numbersFrom, openDesk } from '../../desk-page.ts';
import type { Numbers } from '../../rounds.ts';

const AIM = { atMost: 200 } as const;
const KEYS = 'keys: arrows and space';
const DRAWER = 'the drawer opens and closes';
const DRAG = 'a card is dragged to a driver';
const MAP_SELECTION = 'a box on the map, and the wheel';
const ARROWS = ['ArrowDown', 'ArrowDown', 'ArrowUp', ' ', 'ArrowDown', 'Shift+ArrowDown', 'PageDown', 'Home'];

/**
 * The longest time from an input to the paint that shows what it did, by the browser's own event timing, which counts in steps of
 * 8 ms from 16 ms on. It does not include the service's answer, because a move is shown before that.
 */
export const deskInteraction: BenchCase = {
  name: 'desk-interaction',
  title:
    'From an input to the next paint on a board of 10,000 tasks and 200 drivers, the longest of each kind',
  figures: [KEYS, DRAWER, DRAG, MAP_SELECTION].map((of) => ({ of, unit: 'ms', aim: AIM })),
  open: async (context) => {
    const desk = await openDesk(context);
    const side = async (): Promise<Numbers> => {
      const page = await desk.openBoard();
      const kinds = { [KEYS]: pressKeys, [DRAWER]: openDrawer, [DRAG]: drag, [MAP_SELECTION]: useMap };
      const numbers: [string, number][] = [];
      for (const [name, act] of Object.entries(kinds)) {
        await page.evaluate(WATCH_INPUTS);
        await act(page);
        const { longest = Number.NaN } = await numbersFrom(page, LONGEST);
        numbers.push([name, longest]);
      }
      await page.context().close();
      return Object.fromEntries(numbers);
    };
    return { sides: [side] };
  },
};

async function pressKeys(page: Page): Promise<void> {
  await page.locator('[data-task]').first().focus();
  for (const key of ARROWS) await page.keyboard.press(key);
  await page.keyboard.press('Escape');
}

async function openDrawer(page: Page): Promise<void> {
  await page.locator('[data-task]').first().focus();
  await page.keyboard.press('Enter');
  const drawer = page.getByRole('dialog');
  await drawer.getByRole('heading').first().waitFor();
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'detached' });
}

async function drag(page: Page): Promise<void> {
  const card = page.locator('[data-drop="unassigned"] [data-task]').nth(2);
  const name = /Client \d+/.exec((await card.textContent()) ?? '')?.[0] ?? '';
  const lane = laneOf(page, 'Driver 0001');
  await dragTo(page, card, lane);
  await cardIn(page, 'Driver 0001', name).waitFor();
}

async function useMap(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Map', exact: true }).click();
  const map = page.locator('.leaflet-container');
  await map.waitFor();
  const box = await map.boundingBox();
  if (box === null) throw new Error('the map is not shown');
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.keyboard.down('Shift');
  await page.mouse.move(x - 100, y - 100);
  await page.mouse.down();
  await page.mouse.move(x + 100, y + 100, { steps: 8 });
  await page.mouse.up();
  await page.keyboard.up('Shift');
  await page.mouse.move(x, y);
  await page.mouse.wheel(0, 240);
}

const WATCH_INPUTS = `
  window.longestInput = 16;
  window.inputs?.disconnect();
  window.inputs = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.longestInput = Math.max(window.longestInput, duration);
  });
  window.inputs.observe({ type: 'event', durationThreshold: 16 });`;

/** After the paint of the last input, of which the browser tells then. */
const LONGEST = `new Promise((resolve) => setTimeout(() => resolve({ longest: window.longestInput }), 500))`;
