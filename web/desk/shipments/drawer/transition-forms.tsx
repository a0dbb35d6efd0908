import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { useState } from 'react';
import type { Transition } from '../../../../domain/enumerations.ts';
import { FAILURE_REASONS, isOneOf } from '../../../../domain/enumerations.ts';
import { FAILURE_REASON_WORDS, TRANSITION_WORDS } from '../../../shared/domain-words.ts';
import { amountText } from '../form/values.ts';
import { Button } from '../../parts/button.tsx';
import { SelectField, TextAreaField, TextField } from '../../parts/fields.tsx';
import { RecordChoice } from '../../parts/record-choice.tsx';
import { ReadFailure } from '../../parts/states.tsx';
import { AVAILABLE_DRIVERS, useRecords } from '../../records.ts';
import type { TransitionRequest, TransitionState } from './use-transition.ts';
import styles from './drawer.module.css';

export interface FormProps {
  readonly move: TransitionState;
  /** The driver that the task has already. */
  readonly driver: string | undefined;
  readonly onSend: (request: TransitionRequest) => void;
  readonly onClose: () => void;
}

/** What a transition asks before it is sent; those that are missing are sent at the click. */
export const TRANSITION_FORMS: Readonly<Partial<Record<Transition, (props: FormProps) => ReactNode>>> = {
  assign: AssignForm,
  fail: FailForm,
  deliver: DeliverForm,
  cancel: CancelForm,
};

interface FrameProps {
  readonly transition: Transition;
  readonly move: TransitionState;
  readonly onSubmit: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

function Frame({ transition, move, onSubmit, onClose, children }: FrameProps) {
  const { i18n } = useLingui();
  const words = i18n._(TRANSITION_WORDS[transition]);
  return (
    <form
      className={styles['form']}
      aria-label={words}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
      <div className={styles['row']}>
        <Button
          type="submit"
          kind={transition === 'cancel' ? 'danger' : 'primary'}
          isPending={move.isPending}
        >
          {words}
        </Button>
        <Button onClick={onClose}>
          <Trans>Not now</Trans>
        </Button>
      </div>
    </form>
  );
}

function AssignForm({ move, driver: current, onSend, onClose }: FormProps) {
  const { t } = useLingui();
  const [driver, setDriver] = useState('');
  const { items, first, search } = useRecords(AVAILABLE_DRIVERS, driver);
  const isOther = ({ id }: { readonly id: string }) => current?.endsWith(id) !== true;
  const isNobodyFree = first.isSuccess && search === undefined && !items.some(isOther);
  const send = () => onSend({ transition: 'assign', driver: driver === '' ? null : driver });
  return (
    <Frame transition="assign" move={move} onSubmit={send} onClose={onClose}>
      {first.isError && <ReadFailure error={first.error} onRetry={() => void first.refetch()} />}
      <RecordChoice
        label={t`Driver`}
        source={AVAILABLE_DRIVERS}
        none={t`Choose a driver`}
        isOffered={isOther}
        value={driver}
        onChange={setDriver}
        error={move.errorOf('driver')}
        hint={isNobodyFree ? t`No other driver is available.` : ''}
      />
    </Frame>
  );
}

function FailForm({ move, onSend, onClose }: FormProps) {
  const { t, i18n } = useLingui();
  const [reason, setReason] = useState('');
  const [comment, setComment] = useState('');
  const send = () =>
    onSend({
      transition: 'fail',
      reason: isOneOf(FAILURE_REASONS, reason) ? reason : null,
      comment: comment === '' ? null : comment,
    });
  return (
    <Frame transition="fail" move={move} onSubmit={send} onClose={onClose}>
      <SelectField
        label={t`Why did it fail?`}
        value={reason}
        onChange={setReason}
        error={move.errorOf('reason')}
        options={[
          { value: '', label: t`Choose a reason` },
          ...FAILURE_REASONS.map((value) => ({ value, label: i18n._(FAILURE_REASON_WORDS[value]) })),
        ]}
      />
      <TextAreaField
        label={reason === 'other' ? t`What happened?` : t`Comment (optional)`}
        rows={2}
        maxLength={2_000}
        value={comment}
        onChange={setComment}
        error={move.errorOf('comment')}
      />
    </Frame>
  );
}

function DeliverForm({ move, onSend, onClose }: FormProps) {
  const { t } = useLingui();
  const [receivedBy, setReceivedBy] = useState('');
  const [cash, setCash] = useState('');
  const [note, setNote] = useState('');
  const send = () => {
    const proof = {
      ...(receivedBy !== '' && { receivedBy }),
      ...(cash !== '' && { cashCollected: amountText(cash) }),
      ...(note !== '' && { note }),
    };
    onSend({ transition: 'deliver', ...(Object.keys(proof).length > 0 && { proof }) });
  };
  return (
    <Frame transition="deliver" move={move} onSubmit={send} onClose={onClose}>
      <TextField
        label={t`Received by (optional)`}
        value={receivedBy}
        onChange={setReceivedBy}
        error={move.errorOf('proof.receivedBy')}
      />
      <TextField
        label={t`Cash collected (optional)`}
        inputMode="decimal"
        dir="ltr"
        value={cash}
        onChange={setCash}
        error={move.errorOf('proof.cashCollected')}
      />
      <TextField
        label={t`Note (optional)`}
        value={note}
        onChange={setNote}
        error={move.errorOf('proof.note')}
      />
    </Frame>
  );
}

function CancelForm({ move, onSend, onClose }: FormProps) {
  return (
    <Frame
      transition="cancel"
      move={move}
      onSubmit={() => onSend({ transition: 'cancel' })}
      onClose={onClose}
    >
      <p>
        <Trans>
          A cancelled task cannot be taken up again. With a pickup or a delivery the whole shipment is
          cancelled.
        </Trans>
      </p>
    </Frame>
  );
}
