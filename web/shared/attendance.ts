/** For how long after the last act of a person what the page asks counts as asked by that person. */
const ATTENDED_FOR_MS = 60_000;
/** Screen readers, speech and switches press no key: what they do arrives as a click, an input or a change alone. */
const ACTS = ['pointerdown', 'keydown', 'wheel', 'touchmove', 'click', 'input', 'change'] as const;

/** Opening the page is an act. */
let lastActMs = Date.now();

for (const kind of ACTS) {
  window.addEventListener(kind, () => (lastActMs = Date.now()), { capture: true, passive: true });
}

/** Whether a person is using this page. What it asks otherwise keeps no session from ending (decision 0029). */
export function isAttended(): boolean {
  return Date.now() - lastActMs < ATTENDED_FOR_MS;
}
