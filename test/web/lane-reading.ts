import type { Page } from 'playwright-core';

/** What each lane shows: its name, its sums, and its cards in order, by lane. */
export type Lanes = Readonly<Record<string, readonly string[]>>;

/** Reads the lanes that are in the page, with the first and the last cards of each. */
const READ = `(async () => {
  const drawn = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  const text = (element) => element.innerText.replaceAll('\\n', ' ');
  const lanes = {};
  for (const lane of document.querySelectorAll('[data-drop]')) {
    const list = lane.querySelector('header').nextElementSibling;
    const cards = new Map();
    for (const top of [0, list.scrollHeight]) {
      list.scrollTop = top;
      await drawn();
      for (const card of lane.querySelectorAll('[data-task]'))
        cards.set(Number(card.ariaRowIndex), card.dataset.task + ' ' + text(card));
    }
    list.scrollTop = 0;
    // How many are in sight depends on the height of the page.
    const inOrder = [...cards].sort(([one], [other]) => one - other).map(([, card]) => card);
    if (inOrder.length > 16) inOrder.splice(8, inOrder.length - 16);
    lanes[lane.dataset.drop] = [text(lane.querySelector('header')), ...inOrder];
  }
  return lanes;
})()`;

export function readLanes(page: Page): Promise<Lanes> {
  return page.evaluate<Lanes>(READ);
}
