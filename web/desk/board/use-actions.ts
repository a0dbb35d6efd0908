import type { Transition } from '../../../domain/enumerations.ts';
import { makePlan, targetsOf } from './acts.ts';
import type { BoardTools } from './board-context.ts';
import { useBoardTools } from './board-context.ts';
import { planTransition, planUnassignment } from './plan.ts';
import { printLabels } from './print-labels.ts';
import type { Iri } from './rows.ts';

/** What a person can do with the chosen cards. */
export type ActionName = 'assign' | 'unassign' | 'fail' | 'retry' | 'print' | 'undo' | 'keys' | 'filter';

type Pressed = Pick<KeyboardEvent, 'key' | 'code' | 'altKey' | 'ctrlKey' | 'metaKey'>;

interface Action {
  readonly name: ActionName;
  readonly key: string;
  readonly run: (tools: BoardTools, tasks: readonly Iri[], isAlone: boolean) => void;
  /** Whether its key acts wherever the focus is; the others act only while a card has it (WCAG 2.1.4). */
  readonly isForPage?: true;
}

export const FILTER_FIELD_ID = 'board-filter';

/** Every action that has a key. */
const ACTIONS: readonly Action[] = [
  {
    name: 'assign',
    key: 'a',
    run: ({ ask }, tasks, isAlone) => tasks.length > 0 && ask({ kind: 'assign', tasks, isAlone }),
  },
  {
    name: 'unassign',
    key: 'u',
    run: (tools, tasks, isAlone) => makePlan(tools, planUnassignment(tools.store, tasks, isAlone)),
  },
  { name: 'fail', key: 'f', run: ({ ask }, tasks) => tasks.length > 0 && ask({ kind: 'fail', tasks }) },
  {
    name: 'retry',
    key: 'r',
    run: (tools, tasks) => makePlan(tools, planTransition(tools.store, tasks, 'reactivate')),
  },
  { name: 'print', key: 'p', run: (tools, tasks) => printLabels(tools, tasks) },
  { name: 'keys', key: '?', isForPage: true, run: ({ ask }) => ask({ kind: 'keys' }) },
  {
    name: 'filter',
    key: '/',
    isForPage: true,
    run: () => document.getElementById(FILTER_FIELD_ID)?.focus(),
  },
  { name: 'undo', key: 'z', isForPage: true, run: ({ mover }) => mover.undo() },
];

/** The transition that an action asks; undefined for those that ask none. */
export const ACTION_TRANSITIONS: Readonly<Partial<Record<ActionName, Transition>>> = {
  unassign: 'unassign',
  fail: 'fail',
  retry: 'reactivate',
};

/** What acts on the chosen cards: by name, for buttons, and by key. */
export function useBoardActions() {
  const tools = useBoardTools();
  return {
    run: (name: ActionName) => {
      ACTIONS.find((action) => action.name === name)?.run(tools, targetsOf(tools), false);
    },
    /** Whether the key means something here: on a card, or elsewhere on the page. */
    byKey: (pressed: Pressed, where: 'card' | 'page'): boolean => {
      const { altKey, ctrlKey, metaKey } = pressed;
      const key = latinKey(pressed);
      const action = ACTIONS.find((candidate) => candidate.key === key);
      // ⌘Z and Ctrl+Z alone have a modifier; with ⌥ a move is for one task alone.
      if (action === undefined || (ctrlKey || metaKey) !== (action.name === 'undo')) return false;
      if (where === 'page' && action.isForPage !== true) return false;
      action.run(tools, targetsOf(tools), altKey);
      return true;
    },
  };
}

/** The key by its Latin letter: on an Arabic keyboard, or with ⌥ on a Mac, the same key gives another character. */
function latinKey({ key, code }: Pressed): string {
  if (key === '؟') return '?';
  if (/^[ -~]$/.test(key)) return key.toLowerCase();
  if (code === 'Slash') return '/';
  return code.startsWith('Key') ? code.slice(3).toLowerCase() : '';
}
