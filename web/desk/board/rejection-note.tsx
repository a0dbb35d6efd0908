import { Trans, useLingui } from '@lingui/react/macro';
import type { TaskStatus, Transition } from '../../../domain/enumerations.ts';
import { isOneOf, TASK_STATUSES, TRANSITIONS } from '../../../domain/enumerations.ts';
import { TASK_STATUS_WORDS, TRANSITION_WORDS } from '../../shared/domain-words.ts';
import { formatTime } from '../../shared/format.ts';
import { RejectedRequest } from '../../shared/problem.ts';
import { Button } from '../parts/button.tsx';
import { ErrorText } from '../parts/notice.tsx';
import { makePlan } from './acts.ts';
import { useBoardTools } from './board-context.ts';
import { planTransition } from './plan.ts';
import type { Rejection } from './rejection.ts';
import type { BoardTask } from './rows.ts';
import styles from './card.module.css';

interface Props {
  readonly task: BoardTask;
  readonly rejection: Rejection;
}

/** Under a card whose move was rejected: what the task is now, since when and by whom, and what can be done with it now. */
export function RejectionNote({ task, rejection }: Props) {
  const tools = useBoardTools();
  const { i18n, t } = useLingui();
  const iri = task['@id'];
  const allowed = rejection.problem?.allowedTransitions ?? [];
  const offered = TRANSITIONS.filter((transition) => allowed.includes(transition));
  const act = (transition: Transition) => {
    if (transition === 'assign' || transition === 'fail') tools.ask({ kind: transition, tasks: [iri] });
    else makePlan(tools, planTransition(tools.store, [iri], transition));
  };
  return (
    <div role="gridcell" className={styles['note']}>
      <div className={styles['line']}>
        <strong className={styles['why']}>
          <Reason rejection={rejection} />
        </strong>
      </div>
      <div className={styles['buttons']}>
        {offered.map((transition) => (
          <Button key={transition} onClick={() => act(transition)}>
            {i18n._(TRANSITION_WORDS[transition])}
          </Button>
        ))}
        <Button kind="quiet" onClick={() => tools.store.reject(iri, undefined)} aria-label={t`Close`}>
          <span aria-hidden="true">✕</span>
        </Button>
      </div>
    </div>
  );
}

function Reason({ rejection: { problem } }: { readonly rejection: Rejection }) {
  const { timeZone } = useBoardTools();
  const { i18n } = useLingui();
  if (problem === undefined)
    return <Trans>Not done: another task of the shipment was rejected before.</Trans>;
  const { currentStatus, changedAt, changedBy } = problem;
  if (!isTaskStatus(currentStatus)) return <ErrorText error={new RejectedRequest(problem)} />;
  const status = i18n._(TASK_STATUS_WORDS[currentStatus]);
  if (changedAt === undefined) return <>{status}</>;
  const time = formatTime(changedAt, timeZone);
  const name = changedBy?.name;
  return name === undefined ? (
    <Trans>
      {status} since {time}
    </Trans>
  ) : (
    <Trans>
      {status} since {time}, by <bdi>{name}</bdi>
    </Trans>
  );
}

const isTaskStatus = (status: unknown): status is TaskStatus => isOneOf(TASK_STATUSES, status);
