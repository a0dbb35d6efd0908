import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';

/** Every key of the board, for the dialog that lists them; keys that have names are called as keyboards of the language call them. */
export const BOARD_KEYS: readonly {
  readonly keys: string | MessageDescriptor;
  readonly words: MessageDescriptor;
}[] = [
  { keys: '↑ ↓', words: msg`Card above or below` },
  { keys: '← →', words: msg`Lane beside` },
  { keys: msg`Home End`, words: msg`First or last card of the lane` },
  { keys: msg`Space`, words: msg`Select the card, or not` },
  { keys: msg`Shift ↑ ↓`, words: msg`Select a range` },
  { keys: 'Ctrl A · ⌘A', words: msg`Select the whole lane` },
  { keys: 'A', words: msg`Assign to a driver` },
  { keys: msg`Alt A`, words: msg`Assign only this task of the shipment` },
  { keys: 'U', words: msg`Take from the driver` },
  { keys: msg`Alt ↑ ↓`, words: msg`Earlier or later in the run` },
  { keys: msg`Alt Shift ↑ ↓`, words: msg`Into the run above or below` },
  { keys: 'F', words: msg`Mark as failed` },
  { keys: 'R', words: msg`Try again` },
  { keys: msg`Enter`, words: msg`Open the shipment` },
  { keys: 'P', words: msg`Print labels` },
  { keys: 'Ctrl Z · ⌘Z', words: msg`Take back the last move` },
  { keys: '/', words: msg`Filter` },
  { keys: msg`Esc`, words: msg`Close, or select nothing` },
  { keys: '?', words: msg`This list` },
];
