import type { Page } from 'playwright-core';
import type { BenchCase } from '../../case.ts';
import { numbersFrom, openDesk } from '../../desk-page.ts';
import type { Numbers } from '../../rounds.ts';

const SECONDS = 10;
/** A card and the space below it (web/desk/board/lane.tsx). */
const ROW_PX = 60;
const DESK = 'the lane';
const BARE = 'a bare page with the same rows';
const frames = (where: string) => `frames, ${where}, p95`;
const late = (where: string) => `frames over 20 ms, ${where}`;
const longest = (where: string) => `the longest task, ${where}`;

/** A lane of 10,000 from its first card to its last, next to a page that has nothing but the same rows, all of them at once. */
export const deskScroll: BenchCase = {
  name: 'desk-scroll',
  title: `A lane of 10,000 scrolled from end to end in ${SECONDS} s, and a bare page of as many rows`,
  figures: [
    { of: frames(DESK), unit: 'ms', aim: { atMost: 20 }, also: [frames(BARE)] },
    { of: late(DESK), unit: '%', aim: { atMost: 5 }, also: [late(BARE)] },
    { of: longest(DESK), unit: 'ms', aim: { atMost: 50 }, also: [longest(BARE)] },
  ],
  open: async (context) => {
    const desk = await openDesk(context);
    const board = await desk.openBoard();
    const bare = await board.context().newPage();
    await bare.setContent(bareHtml(desk.tasks));
    const seconds = context.isQuick ? 2 : SECONDS;
    const side = (name: string, page: Page, selector: string) => async () => {
      // A page behind another is drawn rarely.
      await page.bringToFront();
      return named(name, await numbersFrom(page, scrollScript(selector, seconds)));
    };
    return {
      sides: [side(DESK, board, '[data-drop="unassigned"] [role="grid"]'), side(BARE, bare, '[role="grid"]')],
    };
  },
};

function named(where: string, found: Numbers): Numbers {
  const { p95 = Number.NaN, lateShare = Number.NaN, longestTask = Number.NaN } = found;
  return { [frames(where)]: p95, [late(where)]: lateShare, [longest(where)]: longestTask };
}

/** Frames are counted by the clock of the page; a browser reports tasks from 50 ms on, so that 0 stands for all below. */
function scrollScript(selector: string, seconds: number): string {
  return `new Promise((resolve) => {
    const scroller = document.querySelector(${JSON.stringify(selector)}).parentElement;
    const end = scroller.scrollHeight - scroller.clientHeight;
    const frames = [];
    let longestTask = 0;
    const observer = new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) longestTask = Math.max(longestTask, duration);
    });
    observer.observe({ type: 'longtask' });
    let begunAt, lastAt;
    const step = (now) => {
      begunAt ??= now;
      if (lastAt !== undefined) frames.push(now - lastAt);
      lastAt = now;
      const share = (now - begunAt) / ${seconds * 1_000};
      scroller.scrollTop = Math.min(end, share * end);
      if (share < 1) return void requestAnimationFrame(step);
      setTimeout(() => {
        observer.disconnect();
        frames.sort((one, other) => one - other);
        resolve({
          p95: frames[Math.ceil(frames.length * 0.95) - 1],
          lateShare: 100 * frames.filter((ms) => ms > 20).length / frames.length,
          longestTask,
        });
      }, 100);
    };
    scroller.scrollTop = 0;
    setTimeout(() => requestAnimationFrame(step), 500);
  })`;
}

function bareHtml(rows: number): string {
  const row = (index: number) =>
    `<div role="row" style="height:${ROW_PX}px"><b>Client ${index + 1}</b> by 18:00<br>${index + 1} rue de Rivoli · Paris 56.80</div>`;
  const all = Array.from({ length: rows }, (_, index) => row(index)).join('');
  return `<!doctype html><div style="height:700px;width:280px;overflow:auto"><div role="grid">${all}</div></div>`;
}
