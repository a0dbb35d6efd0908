import { Trans, useLingui } from '@lingui/react/macro';
import type { Transition } from '../../../../domain/enumerations.ts';
import { isOneOf, TASK_STATUSES, TRANSITIONS } from '../../../../domain/enumerations.ts';
import { TASK_STATUS_WORDS, TRANSITION_WORDS } from '../../../shared/domain-words.ts';
import { formatDateTime } from '../../../shared/format.ts';
import type { ProblemDocument } from '../../../shared/problem.ts';
import { RejectedRequest } from '../../../shared/problem.ts';
import { Button } from '../../parts/button.tsx';
import { ErrorNotice, ErrorText, Notice } from '../../parts/notice.tsx';
import { useSession } from '../../session.tsx';
import type { TransitionRequest, TransitionState } from './use-transition.ts';
import styles from './drawer.module.css';

interface Props {
  readonly move: TransitionState;
  readonly onChoose: (transition: Transition) => void;
  readonly onSend: (request: TransitionRequest) => void;
}

/** What became of a transition that did not succeed, in its place: as things are now, since when, by whom, and what is allowed. */
export function TransitionOutcome({ move, onChoose, onSend }: Props) {
  const { error, isAccepted, lost } = move;
  if (isAccepted) {
    return (
      <Notice kind="info">
        <p role="status">
          <Trans>Accepted. Its outcome is not known yet…</Trans>
        </p>
      </Notice>
    );
  }
  if (error === undefined) return null;
  if (lost !== undefined) {
    return (
      <Notice kind="warning">
        <div role="alert" className={styles['row']}>
          <Trans>Not confirmed: the service did not answer. It is never done twice.</Trans>
          <Button onClick={() => onSend(lost)} isPending={move.isPending}>
            <Trans>Send again</Trans>
          </Button>
        </div>
      </Notice>
    );
  }
  if (error instanceof RejectedRequest && error.problem.currentStatus !== undefined) {
    return <Rejection problem={error.problem} onChoose={onChoose} />;
  }
  return (
    <div role="alert">
      <ErrorNotice error={error} />
    </div>
  );
}

interface RejectionProps {
  readonly problem: ProblemDocument;
  readonly onChoose: (transition: Transition) => void;
}

function Rejection({ problem, onChoose }: RejectionProps) {
  const { i18n } = useLingui();
  const allowed = (problem.allowedTransitions ?? []).filter((name) => isOneOf(TRANSITIONS, name));
  return (
    <Notice kind="danger">
      <div role="alert" className={styles['section']}>
        <p>
          <Trans>Not done.</Trans> <NowText problem={problem} />
        </p>
        {allowed.length === 0 ? (
          <p>
            <Trans>Nothing more can be done with this task.</Trans>
          </p>
        ) : (
          <div className={styles['row']}>
            <Trans>Allowed now:</Trans>
            {allowed.map((transition) => (
              <Button key={transition} onClick={() => onChoose(transition)}>
                {i18n._(TRANSITION_WORDS[transition])}
              </Button>
            ))}
          </div>
        )}
      </div>
    </Notice>
  );
}

/** The status now, since when, and by whom where that is said. */
function NowText({ problem }: { readonly problem: ProblemDocument }) {
  const { currentStatus, changedAt, changedBy } = problem;
  const { i18n } = useLingui();
  const { session } = useSession();
  if (!isOneOf(TASK_STATUSES, currentStatus)) return <ErrorText error={new RejectedRequest(problem)} />;
  const status = i18n._(TASK_STATUS_WORDS[currentStatus]);
  if (changedAt === undefined) return <Trans>The task is now: {status}.</Trans>;
  const time = formatDateTime(changedAt, session.organization.timezone);
  if (changedBy === undefined) {
    return (
      <Trans>
        The task is now: {status}, since {time}.
      </Trans>
    );
  }
  const { name } = changedBy;
  return (
    <Trans>
      The task is now: {status}, since {time}, by <bdi>{name}</bdi>.
    </Trans>
  );
}
