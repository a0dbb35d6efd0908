import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { PinState } from '../board/map-slot.ts';
import type { PinLook } from './port.ts';

/** A look with what it means, for the legend. */
interface Meaning extends PinLook {
  readonly words: MessageDescriptor;
}

/** Colour and sign of each state: the sign alone says it too. */
export const PIN_LOOKS: Readonly<Record<PinState, Meaning>> = {
  unassigned: {
    colour: '--text-quiet',
    isFilled: false,
    path: '',
    rank: 3,
    words: msg`Not assigned`,
  },
  assigned: {
    colour: '--accent',
    isFilled: true,
    path: 'M-1.5 0a1.5 1.5 0 1 0 3 0a1.5 1.5 0 1 0 -3 0',
    rank: 2,
    words: msg`Assigned`,
  },
  moving: {
    colour: '--warning-text',
    isFilled: true,
    path: 'M-1.5 -3l3 3l-3 3',
    rank: 4,
    words: msg`On the way`,
  },
  done: {
    colour: '--success-text',
    isFilled: true,
    path: 'M-3 0l2 2.5l4 -5',
    rank: 1,
    words: msg`Done`,
  },
  late: {
    colour: '--danger-text',
    isFilled: false,
    path: 'M0 -4v4l3 1.5',
    rank: 5,
    words: msg`Late`,
  },
  failed: {
    colour: '--danger-text',
    isFilled: true,
    path: 'M0 -4v4.5M0 3v1',
    rank: 6,
    words: msg`Failed`,
  },
};

export const PIN_STATES = [
  'unassigned',
  'assigned',
  'moving',
  'late',
  'failed',
  'done',
] as const satisfies readonly PinState[];
