import type { Page } from 'playwright-core';
import { request } from 'undici';
import { makeUser } from '../../../test/harness/make.ts';
import { until } from '../../../test/harness/until.ts';
import type { BenchCase, CaseContext } from '../../case.ts';
import { makeShipments, sendMove } from '../../cast.ts';
import { openDesk, PAINTED, type Desk } from '../../desk-page.ts';
import { atRate } from '../../pace.ts';
import { quantilesOf } from '../../rounds.ts';

const STREAMS = 50;
/** A user may have ten. */
const STREAMS_OF_A_USER = 5;
const CHANGES_A_SECOND = 20;
const SECONDS = 10;
const CLIENTS = 20;
/** How often the page is asked; what it notes does not depend on it. */
const POLL_INTERVAL_MS = 250;
const ASSIGN = ['pickup', 'assign'] as const;
const SEEN = `from the answer to the paint, ${STREAMS} streams`;

/**
 * Tasks are given to one driver by another client, while a board is open: when the n-th is answered, and when the head of the
 * driver's lane has been painted with n tasks or more.
 */
export const deskChange: BenchCase = {
  name: 'desk-change',
  title: `A change made elsewhere, ${CHANGES_A_SECOND} a second, until it is painted on an open board`,
  figures: [
    { of: `${SEEN}, p95`, unit: 'ms', aim: { atMost: 500 }, also: [`${SEEN}, p50`, `${SEEN}, at most`] },
  ],
  open: async (context) => {
    const desk = await openDesk(context, { hasCrowd: false });
    const { deployment, isQuick } = context;
    const http = context.http({ connections: CLIENTS });
    await openStreams(context, desk);
    const page = await desk.openBoard();
    const count = isQuick ? CHANGES_A_SECOND : CHANGES_A_SECOND * SECONDS;
    const side = async () => {
      const shipments = await makeShipments(deployment, http, desk.team, count);
      const begin = await watchLane(page, desk.team.driver);
      const answered = await Promise.all(
        await atRate(CHANGES_A_SECOND, shipments, async (shipment) => {
          const { status } = await sendMove(http, shipment, ASSIGN);
          if (status !== 200) throw new Error(`a move was answered ${status}`);
          return performance.timeOrigin + performance.now();
        }),
      );
      await until(
        async () => ((await paintsOf(page)).at(-1)?.count ?? 0) >= begin + count,
        'a change was never painted',
        {
          everyMs: POLL_INTERVAL_MS,
        },
      );
      const painted = await paintsOf(page);
      const times = answered
        .toSorted((one, other) => one - other)
        .map((atMs, index) => {
          const paint = painted.find((seen) => seen.count >= begin + index + 1);
          // A change may be painted before its own client has read the answer.
          return Math.max(0, (paint?.atMs ?? Number.NaN) - atMs);
        });
      return quantilesOf(SEEN, times);
    };
    return { sides: [side] };
  },
};

/** Opens the streams of other dispatchers; what they bring is read and dropped. */
async function openStreams({ deployment, atEnd }: CaseContext, { team }: Desk): Promise<void> {
  for (let index = 0; index < STREAMS; index += STREAMS_OF_A_USER) {
    const { token } = await makeUser(deployment, team.organization, 'ROLE_DISPATCHER');
    for (let own = 0; own < STREAMS_OF_A_USER; own += 1) {
      const { body, statusCode } = await request(`${deployment.baseUrl}/api/v1/changes`, {
        headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream' },
        bodyTimeout: 0,
      });
      if (statusCode !== 200) throw new Error(`a stream was answered ${statusCode}`);
      body.on('error', () => undefined).resume();
      atEnd(() => body.destroy());
    }
  }
}

/** Notes each count of the driver's lane with the moment of its paint. Resolves to the count at the beginning. */
async function watchLane(page: Page, driver: string): Promise<number> {
  const selector = `[data-drop="/api/v1/drivers/${driver}"]`;
  await page.locator(selector).waitFor();
  const count: unknown = await page.evaluate(`(() => {
    ${PAINTED}
    const lane = document.querySelector(${JSON.stringify(selector)});
    window.painted = [];
    window.observer?.disconnect();
    window.observer = new MutationObserver(async () => {
      const count = Number(lane.dataset.shown);
      window.painted.push({ count, atMs: performance.timeOrigin + await painted() });
    });
    window.observer.observe(lane, { attributes: true, attributeFilter: ['data-shown'] });
    return Number(lane.dataset.shown);
  })()`);
  return Number(count);
}

async function paintsOf(page: Page): Promise<readonly { readonly count: number; readonly atMs: number }[]> {
  return page.evaluate<{ readonly count: number; readonly atMs: number }[]>('window.painted');
}
