import type { FailureReason } from '../../domain/enumerations.ts';
import type { Transition } from '../../domain/task.ts';
import type { WindowKind } from './windows.ts';

/** A step of a shipment: a transition of one of its tasks; `add` makes the return. */
export type Step = readonly [task: 'pickup' | 'delivery' | 'return', transition: Transition | 'add'];

/** What becomes of a shipment of the demo's day. */
export interface FateRule {
  readonly window: WindowKind;
  readonly hasPickup: boolean;
  readonly steps: readonly Step[];
}

const COLLECT: readonly Step[] = [
  ['pickup', 'assign'],
  ['pickup', 'pick_up'],
];
const ASSIGN: Step = ['delivery', 'assign'];
const SET_OUT: readonly Step[] = [ASSIGN, ['delivery', 'start_delivery']];
const FAIL: Step = ['delivery', 'fail'];

/** The fates, from those that wait for someone to those that are over: a run's tasks stand in the reverse order. */
export const FATES = {
  awaiting_approval: { window: 'later', hasPickup: true, steps: [] },
  unassigned: { window: 'soon', hasPickup: false, steps: [] },
  late: { window: 'past', hasPickup: false, steps: [] },
  waiting_for_pickup: { window: 'later', hasPickup: true, steps: [] },
  pickup_assigned: { window: 'soon', hasPickup: true, steps: [['pickup', 'assign'], ASSIGN] },
  pickup_under_way: {
    window: 'soon',
    hasPickup: true,
    steps: [
      ['pickup', 'assign'],
      ['pickup', 'start_approach'],
    ],
  },
  collected: { window: 'later', hasPickup: true, steps: COLLECT },
  retried: { window: 'later', hasPickup: false, steps: [...SET_OUT, FAIL, ['delivery', 'reactivate']] },
  assigned: { window: 'soon', hasPickup: false, steps: [ASSIGN] },
  late_and_assigned: { window: 'past', hasPickup: false, steps: [ASSIGN] },
  out_for_delivery: { window: 'now', hasPickup: false, steps: SET_OUT },
  in_transit: { window: 'now', hasPickup: true, steps: [...COLLECT, ASSIGN, ['delivery', 'start_transit']] },
  late_and_out: { window: 'past', hasPickup: false, steps: SET_OUT },
  failed: { window: 'now', hasPickup: false, steps: [...SET_OUT, FAIL] },
  delivered: { window: 'now', hasPickup: false, steps: [...SET_OUT, ['delivery', 'deliver']] },
  cancelled: { window: 'later', hasPickup: false, steps: [['delivery', 'cancel']] },
  returned: {
    window: 'now',
    hasPickup: true,
    steps: [
      ...[...COLLECT, ...SET_OUT, FAIL],
      ...([
        ['return', 'add'],
        ['return', 'assign'],
        ['return', 'deliver'],
      ] satisfies Step[]),
    ],
  },
} as const satisfies Record<string, FateRule>;
export type Fate = keyof typeof FATES;

/** The rule of a fate. */
export function ruleOf(fate: Fate): FateRule {
  return FATES[fate];
}

/** Why the failed deliveries failed, in turn, as the drivers wrote it. */
export const FAILURES: readonly { readonly reason: FailureReason; readonly comment: string }[] = [
  { reason: 'recipient_absent', comment: 'Personne à l’interphone, avis de passage laissé.' },
  { reason: 'phone_unreachable', comment: 'Trois appels sans réponse.' },
  { reason: 'wrong_address', comment: 'Le numéro n’existe pas dans la rue.' },
  { reason: 'refused', comment: 'Ne veut plus de la commande.' },
  { reason: 'cannot_pay', comment: 'Pas assez d’espèces, demande demain.' },
  { reason: 'postponed', comment: 'يطلب التسليم غدا بعد الظهر' },
];

/** A delivery run: who drives it, and how many shipments of which fate it has. `planned` runs assign their tasks. */
export interface RunShape {
  readonly key: string;
  readonly name: string;
  readonly driver?: string;
  readonly status: 'draft' | 'planned';
  readonly isCancelled?: boolean;
  readonly members: Readonly<Partial<Record<Fate, number>>>;
}

/** An organization's day: how many shipments of each fate, its runs, and what its webhook receiver answers to single events. */
export interface DayShape {
  readonly counts: Readonly<Partial<Record<Fate, number>>>;
  readonly runs: readonly RunShape[];
  /** An answer for each of the first deliveries outside of a run: 5xx ends as a dead letter, 4xx as rejected. */
  readonly receiverAnswers: readonly number[];
}

/** 110 shipments around Paris. */
export const ATLAS_DAY: DayShape = {
  counts: {
    awaiting_approval: 8,
    unassigned: 18,
    late: 4,
    waiting_for_pickup: 9,
    pickup_assigned: 4,
    pickup_under_way: 2,
    collected: 6,
    retried: 2,
    assigned: 20,
    late_and_assigned: 2,
    out_for_delivery: 5,
    in_transit: 3,
    late_and_out: 2,
    failed: 6,
    delivered: 17,
    cancelled: 1,
    returned: 1,
  },
  runs: [
    {
      key: 'morning',
      name: 'Matinée 11e-20e',
      driver: 'lina',
      status: 'planned',
      members: { delivered: 6, failed: 1 },
    },
    {
      key: 'north',
      name: 'Nord, après-midi',
      driver: 'karim',
      status: 'planned',
      members: { delivered: 3, failed: 1, out_for_delivery: 1, assigned: 4 },
    },
    {
      key: 'south',
      name: 'Rive gauche',
      driver: 'chloe',
      status: 'planned',
      members: { assigned: 7 },
    },
    { key: 'evening', name: 'Soirée', status: 'draft', members: { unassigned: 5 } },
  ],
  receiverAnswers: [500, 410],
};

/** 90 shipments around Algiers and Casablanca. */
export const PETIT_COLIS_DAY: DayShape = {
  counts: {
    awaiting_approval: 6,
    unassigned: 15,
    late: 3,
    waiting_for_pickup: 7,
    pickup_assigned: 3,
    pickup_under_way: 2,
    collected: 5,
    retried: 1,
    assigned: 15,
    late_and_assigned: 2,
    out_for_delivery: 4,
    in_transit: 2,
    late_and_out: 1,
    failed: 6,
    delivered: 16,
    cancelled: 1,
    returned: 1,
  },
  runs: [
    {
      key: 'centre',
      name: 'Alger-Centre, Hydra',
      driver: 'nadia',
      status: 'planned',
      members: { delivered: 3, failed: 1, out_for_delivery: 1, assigned: 4 },
    },
    {
      key: 'corniche',
      name: 'Corniche, soir',
      driver: 'ghita',
      status: 'planned',
      isCancelled: true,
      members: {},
    },
  ],
  receiverAnswers: [],
};
