/** For how long after the last key, click or turn of the wheel what the page asks counts as asked by a person. */
const ATTENDED_FOR_MS = 60_000;
const ACTS = ['pointerdown', 'keydown', 'wheel', 'touchmove'] as const;

/** Opening the page is an act. */
let lastActMs = Date.now();

for (const kind of ACTS) {
  window.addEventListener(kind, () => (lastActMs = Date.now()), { capture: true, passive: true });
}

/** Whether a person is using this page. What it asks otherwise keeps no session from ending (decision 0029). */
export function isAttended(): boolean {
  return Date.now() - lastActMs < ATTENDED_FOR_MS;
}
