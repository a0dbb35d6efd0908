import { clearLine, cursorTo } from 'node:readline';

/** Where the commands write what they are doing: one line per call. */
export type Say = (line: string) => void;

const FIRST_NOTICE_MS = 2_000;
const TERMINAL_INTERVAL_MS = 1_000;
const LOG_INTERVAL_MS = 10_000;

interface Activity {
  readonly name: string;
  readonly startedAtMs: number;
  readonly usuallySeconds: number | undefined;
}

/** What is waited for, the oldest first. One of them is shown at a time, so that notices do not alternate. */
const underWay: Activity[] = [];
const shown = { isLineOpen: false };

/** Writes a line to the terminal, in place of a notice of progress that stands there. */
export function say(line: string): void {
  endNotice();
  process.stdout.write(`${line}\n`);
}

/**
 * Waits for `work`. What takes longer than two seconds is shown with the time that has passed and the time that it usually
 * takes: on a terminal in one line that is renewed each second, elsewhere by a line each ten seconds.
 */
export async function withProgress<T>(
  name: string,
  sayLine: Say,
  work: () => Promise<T>,
  usuallySeconds?: number,
): Promise<T> {
  const activity: Activity = { name, startedAtMs: performance.now(), usuallySeconds };
  underWay.push(activity);
  const isInPlace = sayLine === say && process.stdout.isTTY;
  const show = (): void => {
    if (underWay[0] !== activity) return;
    if (isInPlace) writeNotice(noticeOf(activity));
    else sayLine(noticeOf(activity));
  };
  let ticker: NodeJS.Timeout | undefined;
  const first = setTimeout(() => {
    show();
    ticker = setInterval(show, isInPlace ? TERMINAL_INTERVAL_MS : LOG_INTERVAL_MS);
  }, FIRST_NOTICE_MS);
  try {
    return await work();
  } finally {
    clearTimeout(first);
    clearInterval(ticker);
    underWay.splice(underWay.indexOf(activity), 1);
    if (isInPlace) endNotice();
  }
}

function noticeOf({ name, startedAtMs, usuallySeconds }: Activity): string {
  const seconds = Math.round((performance.now() - startedAtMs) / 1_000);
  return `  …${name}: ${seconds} s${usuallySeconds === undefined ? '' : ` of usually ${usuallySeconds}`}`;
}

function writeNotice(notice: string): void {
  cursorTo(process.stdout, 0);
  process.stdout.write(notice.slice(0, process.stdout.columns - 1));
  clearLine(process.stdout, 1);
  shown.isLineOpen = true;
}

function endNotice(): void {
  if (!shown.isLineOpen) return;
  cursorTo(process.stdout, 0);
  clearLine(process.stdout, 0);
  shown.isLineOpen = false;
}
