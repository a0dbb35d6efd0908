import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import type { Transition } from '../../../../domain/enumerations.ts';
import { FAILURE_REASON_WORDS, TASK_TYPE_WORDS, TRANSITION_WORDS } from '../../../shared/domain-words.ts';
import { dayOf, formatAmount, formatDateTime, formatTime } from '../../../shared/format.ts';
import { PlaceButton } from '../../map/place-button.tsx';
import { Button } from '../../parts/button.tsx';
import { TaskStatusSign } from '../../parts/status-sign.tsx';
import { ReadFailure, Skeleton } from '../../parts/states.tsx';
import { useSession } from '../../session.tsx';
import type { Shipment, Task } from '../reads.ts';
import { DRIVERS, useRecord } from '../../records.ts';
import { nameOf, useTasksOf } from '../reads.ts';
import { TransitionOutcome } from './rejection.tsx';
import { Fact, Facts, Section } from './section.tsx';
import { TRANSITION_FORMS } from './transition-forms.tsx';
import type { TransitionRequest } from './use-transition.ts';
import { useTransition } from './use-transition.ts';
import styles from './drawer.module.css';

/** The tasks with what may be done now; a merchant sees how far each is. */
export function Tasks({ shipment }: { readonly shipment: Shipment }) {
  const { may } = useSession();
  const isFull = may('task.list');
  const tasks = useTasksOf(shipment.id, isFull);
  if (shipment.tasks.length === 0) return null;
  return (
    <Section title={<Trans>Tasks</Trans>}>
      {!isFull && shipment.tasks.map((task) => <TaskInShort key={task.id} task={task} />)}
      {isFull && tasks.isPending && <Skeleton rows={shipment.tasks.length} />}
      {tasks.isError && <ReadFailure error={tasks.error} onRetry={() => void tasks.refetch()} />}
      {inOrder(tasks.data ?? [], shipment).map((task) => (
        <TaskCard key={task.id} task={task} />
      ))}
    </Section>
  );
}

/** In the order in which the shipment names them. */
function inOrder(tasks: readonly Task[], shipment: Shipment): readonly Task[] {
  const places = new Map(shipment.tasks.map(({ id }, index) => [id, index]));
  return [...tasks].sort((one, other) => (places.get(one.id) ?? 0) - (places.get(other.id) ?? 0));
}

function TaskInShort({ task: { type, status } }: { readonly task: Shipment['tasks'][number] }) {
  const { i18n } = useLingui();
  return (
    <div className={`${styles['task']} ${styles['between']}`}>
      <strong>{i18n._(TASK_TYPE_WORDS[type])}</strong>
      <TaskStatusSign status={status} />
    </div>
  );
}

function TaskCard({ task }: { readonly task: Task }) {
  const { i18n } = useLingui();
  const [opened, setOpened] = useState<Transition>();
  const move = useTransition(task.id);
  const send = async (request: TransitionRequest) => {
    // A form stays open with what was typed until it succeeds.
    if (await move.run(request)) setOpened(undefined);
  };
  const choose = (transition: Transition) => {
    move.clear();
    if (transition in TRANSITION_FORMS) setOpened(transition);
    else void send({ transition });
  };
  const Form = opened && TRANSITION_FORMS[opened];
  return (
    <div className={styles['task']} role="group" aria-label={i18n._(TASK_TYPE_WORDS[task.type])}>
      <div className={styles['between']}>
        <strong>{i18n._(TASK_TYPE_WORDS[task.type])}</strong>
        <TaskStatusSign status={task.status} />
      </div>
      <TaskFacts task={task} />
      <div className={styles['row']}>
        {task.allowedTransitions.map((transition) => (
          <Button
            key={transition}
            aria-expanded={transition in TRANSITION_FORMS ? transition === opened : undefined}
            isPending={move.isPending && move.last === transition}
            onClick={() => (transition === opened ? setOpened(undefined) : choose(transition))}
          >
            {i18n._(TRANSITION_WORDS[transition])}
          </Button>
        ))}
        <PlaceButton task={task} />
      </div>
      {Form && (
        <Form
          key={opened}
          move={move}
          driver={task.driver}
          onSend={(request) => void send(request)}
          onClose={() => {
            move.clear();
            setOpened(undefined);
          }}
        />
      )}
      <TransitionOutcome move={move} onChoose={choose} onSend={(request) => void send(request)} />
    </div>
  );
}

function TaskFacts({ task }: { readonly task: Task }) {
  const { i18n } = useLingui();
  const { session, may } = useSession();
  const zone = session.organization.timezone;
  const driver = useRecord(DRIVERS, task.driver, may('driver.list'));
  const { proof } = task;
  return (
    <Facts>
      <Fact name={<Trans>Driver</Trans>}>
        {driver && (
          <>
            <bdi>{nameOf(driver)}</bdi> ·{' '}
            <a href={`tel:${driver.phoneNumber}`} dir="ltr">
              {driver.phoneNumber}
            </a>
          </>
        )}
      </Fact>
      <Fact name={<Trans>Window</Trans>}>
        {(task.after ?? task.before) !== undefined && <TaskWindow task={task} zone={zone} />}
      </Fact>
      <Fact name={<Trans>Attempt</Trans>}>{task.attempts > 1 && task.attempts}</Fact>
      <Fact name={<Trans>Why it failed</Trans>}>
        {task.failureReason && (
          <>
            {i18n._(FAILURE_REASON_WORDS[task.failureReason])} <bdi>{task.failureComment}</bdi>
          </>
        )}
      </Fact>
      <Fact name={<Trans>Notes</Trans>}>
        {task.notes && <bdi className={styles['text']}>{task.notes}</bdi>}
      </Fact>
      {proof && <Proof proof={proof} currency={task.currency} />}
    </Facts>
  );
}

function TaskWindow({ task: { after, before }, zone }: { readonly task: Task; readonly zone: string }) {
  const from = after && formatDateTime(after, zone);
  const until = before && formatDateTime(before, zone);
  if (from === undefined) return <Trans>until {until}</Trans>;
  if (until === undefined) return <Trans>from {from}</Trans>;
  const isOneDay = after && before && dayOf(new Date(after), zone) === dayOf(new Date(before), zone);
  if (isOneDay === true) {
    return (
      <>
        {from}–{formatTime(before, zone)}
      </>
    );
  }
  return (
    <Trans>
      from {from} until {until}
    </Trans>
  );
}

interface ProofProps {
  readonly proof: NonNullable<Task['proof']>;
  readonly currency: string;
}

/** What was shown or left at the door. */
function Proof({ proof, currency }: ProofProps) {
  return (
    <>
      <Fact name={<Trans>Received by</Trans>}>{proof.receivedBy && <bdi>{proof.receivedBy}</bdi>}</Fact>
      <Fact name={<Trans>Cash collected</Trans>}>
        {proof.cashCollected && <bdi>{formatAmount(proof.cashCollected, currency)}</bdi>}
      </Fact>
      <Fact name={<Trans>Scanned code</Trans>}>
        {proof.scannedCode && <bdi dir="ltr">{proof.scannedCode}</bdi>}
      </Fact>
      <Fact name={<Trans>Note of the driver</Trans>}>{proof.note && <bdi>{proof.note}</bdi>}</Fact>
      <Fact name={<Trans>Photo</Trans>}>{proof.photoUrl && <ProofLink href={proof.photoUrl} />}</Fact>
      <Fact name={<Trans>Signature</Trans>}>
        {proof.signatureUrl && <ProofLink href={proof.signatureUrl} />}
      </Fact>
    </>
  );
}

function ProofLink({ href }: { readonly href: string }) {
  return (
    <a href={href} target="_blank" rel="noreferrer">
      <Trans>Open in a new tab</Trans>
    </a>
  );
}
