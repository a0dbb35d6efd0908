// What the commands write to the terminal while they work. Of Node built-ins alone: the installation of the packages is
// shown as well.
import { clearLine, cursorTo } from 'node:readline';

const FIRST_NOTICE_MS = 2_000;
const TERMINAL_INTERVAL_MS = 1_000;
const LOG_INTERVAL_MS = 10_000;

const { stdout } = process;
/** What is waited for, the oldest first. One of them is shown at a time, so that notices do not alternate. */
const underWay = [];
let isLineOpen = false;

/** Writes a line to the terminal, in place of a notice of progress that stands there. */
export function say(line) {
  endNotice();
  stdout.write(`${line}\n`);
}

/**
 * Waits for `work`. What takes longer than two seconds is shown with the time that has passed and the time that it usually
 * takes: on a terminal in one line that is renewed each second, elsewhere by a line each ten seconds.
 */
export async function withProgress(name, work, usuallySeconds) {
  const activity = { name, startedAtMs: performance.now(), usuallySeconds };
  underWay.push(activity);
  const show = () => {
    if (underWay[0] !== activity) return;
    if (stdout.isTTY) writeNotice(noticeOf(activity));
    else say(noticeOf(activity));
  };
  let ticker;
  const first = setTimeout(() => {
    show();
    ticker = setInterval(show, stdout.isTTY ? TERMINAL_INTERVAL_MS : LOG_INTERVAL_MS);
  }, FIRST_NOTICE_MS);
  try {
    return await work();
  } finally {
    clearTimeout(first);
    clearInterval(ticker);
    underWay.splice(underWay.indexOf(activity), 1);
    endNotice();
  }
}

function noticeOf({ name, startedAtMs, usuallySeconds }) {
  const seconds = Math.round((performance.now() - startedAtMs) / 1_000);
  return `  …${name}: ${seconds} s${usuallySeconds === undefined ? '' : ` of usually ${usuallySeconds}`}`;
}

function writeNotice(notice) {
  cursorTo(stdout, 0);
  // Some terminals do not say how wide they are.
  stdout.write(notice.slice(0, (stdout.columns || 80) - 1));
  clearLine(stdout, 1);
  isLineOpen = true;
}

function endNotice() {
  if (!isLineOpen) return;
  cursorTo(stdout, 0);
  clearLine(stdout, 0);
  isLineOpen = false;
}
