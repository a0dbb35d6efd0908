import type { MessageDescriptor } from '@lingui/core';
import { msg, plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { TASK_STATUS_WORDS } from '../../shared/domain-words.ts';
import { isOneOf, TASK_STATUSES } from '../../../domain/enumerations.ts';
import type { NoPlace } from './acts.ts';
import type { BoardNews } from './board-context.ts';
import { useBoardTools } from './board-context.ts';
import type { Move } from './move.ts';
import { driverName } from './names.ts';

const NO_PLACE_WORDS: Readonly<Record<NoPlace, MessageDescriptor>> = {
  no_run: msg`Only a run has an order; other tasks stand by their time windows.`,
  first: msg`It is the first of its run. Alt Shift ↑ moves it into the run above.`,
  last: msg`It is the last of its run. Alt Shift ↓ moves it into the run below.`,
  no_next: msg`There is no other run there.`,
};

/** What the strip says of the last that happened. */
export function useNewsText(news: BoardNews | undefined): string {
  const { t, i18n } = useLingui();
  const { store } = useBoardTools();
  const moveText = useMoveText();
  if (news === undefined) return '';
  switch (news.kind) {
    case 'made':
      return moveText(news.move);
    case 'applied':
      return news.move.isUndo ? t`Taken back.` : `${moveText(news.move)} ✓`;
    case 'rejected': {
      const count = news.tasks.length;
      const task = news.tasks[0] ?? '';
      const status = store.card(task)?.rejection?.problem?.currentStatus;
      const name = store.task(task)?.recipientName ?? '';
      const words = isOneOf(TASK_STATUSES, status) ? i18n._(TASK_STATUS_WORDS[status]) : '';
      return count === 1 && name !== ''
        ? t`Not done: ${name}. ${words}`
        : plural(count, { one: '# move was rejected.', other: '# moves were rejected.' });
    }
    case 'unsent': {
      const { seconds } = news;
      return seconds === undefined
        ? t`The service cannot answer now. Nothing was sent.`
        : plural(seconds, {
            one: 'The service takes no more now. Send again in # second.',
            other: 'The service takes no more now. Send again in # seconds.',
          });
    }
    case 'no_place':
      return i18n._(NO_PLACE_WORDS[news.why]);
    case 'put_back':
      return t`Put back. The cards are where the service has them.`;
    case 'still_waiting':
      return t`Not done: this card still waits for the answer to its last move.`;
    case 'nothing_changes':
      return t`Nothing changes: it is like that already.`;
    case 'nothing_to_undo':
      return t`There is no move of the last 10 seconds that can be taken back.`;
    case 'no_way_back':
      return t`The last move cannot be taken back.`;
    case 'not_printed':
      return t`The labels could not be made.`;
  }
}

function useMoveText(): (move: Move) => string {
  const { t } = useLingui();
  const { store } = useBoardTools();
  return ({ plan }) => {
    const [first] = plan;
    if (first === undefined) return '';
    const what =
      plan.length === 1
        ? (store.task(first.task)?.recipientName ?? '')
        : plural(plan.length, { one: '# task', other: '# tasks' });
    const driver = store.rows.drivers.get(first.driver ?? first.before.driver ?? '');
    const name = driver === undefined ? '' : driverName(driver);
    const { place, shown } = first;
    if (first.transition === undefined && place !== undefined && place.run !== shown.deliveryRun) {
      const { name: given, reference } = store.rows.runs.get(place.run) ?? {};
      const run = given ?? reference ?? '';
      return t`${what} → run ${run}`;
    }
    if (first.transition === undefined) return t`${what}: another place in the run`;
    if (first.transition === 'assign') return t`${what} → ${name}`;
    if (first.transition === 'unassign') return t`${what}: taken from the driver`;
    if (first.transition === 'fail') return t`${what}: marked as failed`;
    if (first.transition === 'reactivate') return t`${what}: try again`;
    return what;
  };
}
