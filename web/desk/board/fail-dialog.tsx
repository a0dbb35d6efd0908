import { Trans, useLingui } from '@lingui/react/macro';
import type { SyntheticEvent } from 'react';
import { useState } from 'react';
import { FAILURE_REASONS, isOneOf } from '../../../domain/enumerations.ts';
import { FAILURE_REASON_WORDS } from '../../shared/domain-words.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { SelectField, TextAreaField } from '../parts/fields.tsx';
import { makePlan } from './acts.ts';
import { useBoardTools } from './board-context.ts';
import { planTransition } from './plan.ts';
import type { Iri } from './rows.ts';
import styles from './dialogs.module.css';

const COMMENT_LENGTH = 2_000;

interface Props {
  readonly tasks: readonly Iri[];
  readonly onClose: () => void;
}

/** Asks why tasks failed. The reason «other» needs words. */
export function FailDialog({ tasks, onClose }: Props) {
  const tools = useBoardTools();
  const { t, i18n } = useLingui();
  const [reason, setReason] = useState('recipient_absent');
  const [comment, setComment] = useState('');
  const [isTried, setIsTried] = useState(false);
  const isMissing = reason === 'other' && comment.trim() === '';
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    setIsTried(true);
    if (isMissing || !isOneOf(FAILURE_REASONS, reason)) return;
    const given = { reason, ...(comment.trim() !== '' && { comment: comment.trim() }) };
    onClose();
    setTimeout(() => makePlan(tools, planTransition(tools.store, tasks, 'fail', given)));
  };
  const count = tasks.length;
  return (
    <Dialog
      title={count === 1 ? t`Mark as failed` : t`Mark ${count} tasks as failed`}
      onClose={onClose}
      closeLabel={t`Close`}
    >
      <form onSubmit={submit} className={styles['chooser']}>
        <SelectField
          label={t`Reason`}
          value={reason}
          onChange={setReason}
          options={FAILURE_REASONS.map((value) => ({ value, label: i18n._(FAILURE_REASON_WORDS[value]) }))}
        />
        <TextAreaField
          label={t`Comment`}
          value={comment}
          onChange={setComment}
          maxLength={COMMENT_LENGTH}
          error={isTried && isMissing ? t`Say what happened.` : undefined}
        />
        <div className={styles['buttons']}>
          <Button type="submit" kind="primary">
            <Trans>Mark as failed</Trans>
          </Button>
          <Button onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
