import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useCallback } from 'react';
import { useAddressParameter } from '../address.ts';
import { idOf } from '../../shared/client.ts';
import { Button } from '../parts/button.tsx';
import { targetsOf } from './acts.ts';
import { useBoardTools, useTopic } from './board-context.ts';
import { MoveStrip } from './move-strip.tsx';
import type { ActionName } from './use-actions.ts';
import { ACTION_TRANSITIONS, useBoardActions } from './use-actions.ts';
import styles from './board.module.css';

const BUTTONS: readonly {
  readonly name: ActionName;
  readonly words: MessageDescriptor;
  readonly key: string;
}[] = [
  { name: 'assign', words: msg`Assign…`, key: 'A' },
  { name: 'unassign', words: msg`Unassign`, key: 'U' },
  { name: 'fail', words: msg`Failed…`, key: 'F' },
  { name: 'retry', words: msg`Try again`, key: 'R' },
  { name: 'print', words: msg`Print labels`, key: 'P' },
];

/** Below the lanes: what the chosen cards can be asked, and what became of the last move. */
export function Toolbar() {
  const { t, i18n } = useLingui();
  const actions = useBoardActions();
  const { count, selected, shipment, allowed } = useTargets();
  const [, openShipment] = useAddressParameter('shipment');
  return (
    <div className={styles['toolbar']}>
      <div role="toolbar" aria-label={t`Chosen cards`} className={styles['actions']}>
        <span className={styles['chosen']}>
          {selected > 0 && <Plural value={selected} one="# selected" other="# selected" />}
        </span>
        {BUTTONS.map(({ name, words, key }) => {
          const transition = ACTION_TRANSITIONS[name];
          const canRun = count > 0 && (transition === undefined || allowed.includes(transition));
          return (
            <Button
              key={name}
              disabled={!canRun}
              onClick={() => actions.run(name)}
              aria-keyshortcuts={key}
              title={key}
            >
              {i18n._(words)}
            </Button>
          );
        })}
        <Button disabled={count !== 1} onClick={() => openShipment(idOf(shipment))} title="⏎">
          <Trans>Open</Trans>
        </Button>
        <Button
          kind="quiet"
          onClick={() => actions.run('keys')}
          aria-label={t`Keys of the board`}
          aria-keyshortcuts="?"
        >
          <kbd>?</kbd>
        </Button>
      </div>
      <MoveStrip />
    </div>
  );
}

interface Targets {
  readonly count: number;
  readonly selected: number;
  /** Of the only one. */
  readonly shipment: string;
  /** What at least one of them allows. */
  readonly allowed: readonly string[];
}

function useTargets(): Targets {
  const tools = useBoardTools();
  const { store } = tools;
  const read = useCallback(() => {
    const tasks = targetsOf(tools).flatMap((task) => tools.store.task(task) ?? []);
    const allowed = new Set(tasks.flatMap(({ allowedTransitions }) => allowedTransitions));
    const selected = tools.store.selection().size;
    return [tasks.length, selected, tasks[0]?.shipment ?? '', ...allowed].join(' ');
  }, [tools]);
  // The text is the same as long as nothing of it changes: the bar is drawn only then.
  useTopic('focus', read);
  useTopic('selection', read);
  const [count = '0', selected = '0', shipment = '', ...allowed] = useTopic('tasks', read).split(' ');
  void store;
  return { count: Number(count), selected: Number(selected), shipment, allowed };
}
