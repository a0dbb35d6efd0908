import type { BenchCase } from '../../case.ts';
import { fillSignIn, numbersFrom, openDesk, PAINTED } from '../../desk-page.ts';

const FIRST_CARD = 'from «Sign in» to the first card';
const BOARD = 'of which GET /board until its last byte';
const REST = 'from there to the first card';

/** What a dispatcher waits for in the morning. The page with the sign-in is open, as it is while a password is typed. */
export const deskFirstCard: BenchCase = {
  name: 'desk-first-card',
  title: 'From the press of «Sign in» to the first card on the screen, 10,000 tasks and 200 drivers',
  figures: [{ of: FIRST_CARD, unit: 'ms', aim: { atMost: 1_500 }, also: [BOARD, REST] }],
  open: async (context) => {
    const desk = await openDesk(context);
    const side = async () => {
      const page = await desk.openPage();
      await fillSignIn(page, await desk.makePerson());
      await page.evaluate(WATCH);
      await page.getByRole('button', { name: 'Sign in' }).click();
      const { total = Number.NaN, board = Number.NaN, rest = Number.NaN } = await numbersFrom(page, RESULT);
      await page.context().close();
      return { [FIRST_CARD]: total, [BOARD]: board, [REST]: rest };
    };
    return { sides: [side] };
  },
};

const WATCH = `(() => {
${PAINTED}
window.firstCard = new Promise((resolve) => {
  document.querySelector('form').addEventListener('submit', () => {
    const pressedAt = performance.now();
    const observer = new MutationObserver(async () => {
      if (document.querySelector('[data-task]') === null) return;
      observer.disconnect();
      const shownAt = await painted();
      const [board] = performance.getEntriesByType('resource').filter(({ name }) => name.includes('/v1/board'));
      resolve({
        total: shownAt - pressedAt,
        board: board.responseEnd - board.startTime,
        rest: shownAt - board.responseEnd,
      });
    });
    observer.observe(document.body, { subtree: true, childList: true });
  }, { capture: true });
});
})()`;

const RESULT = 'window.firstCard';
