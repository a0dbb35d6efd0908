import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { isOneOf } from '../../../domain/enumerations.ts';
import { FAILED_STATUSES, REPLAYABLE_STATUSES } from '../../../domain/webhook.ts';
import { formatList } from '../../shared/format.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { SelectField, TextField } from '../parts/fields.tsx';
import form from '../parts/form.module.css';
import { ErrorNotice, Notice } from '../parts/notice.tsx';
import { useAction } from '../parts/use-action.ts';
import { useRequestKey } from '../parts/use-request-key.ts';
import { useSession } from '../session.tsx';
import { dayRange } from './day-range.ts';
import { replayMany } from './delivery-requests.ts';
import { DELIVERY_STATUS_WORDS } from './delivery-status.tsx';

/** How far the sending of many has come. */
interface Progress {
  readonly sent: number;
  /** How many fitted when it began: each of them is sent once. */
  readonly total: number;
}

/** Which deliveries are sent again: a status, or all that failed; days of the organization's time zone. */
export interface Choice {
  readonly status: string;
  readonly from: string;
  readonly to: string;
}

interface Props {
  /** What the table is narrowed to: the dialog begins with it. */
  readonly shown: Choice;
  readonly onClose: () => void;
}

/** Sends many deliveries again, 500 at a time, by their status and days. */
export function ReplayDialog({ shown, onClose }: Props) {
  const { t } = useLingui();
  const { session } = useSession();
  const queries = useQueryClient();
  const withKey = useRequestKey();
  const [choice, setChoice] = useState(shown);
  const [progress, setProgress] = useState<Progress>();
  const replay = useAction(async () => {
    const { from = null, to = null } = dayRange(choice.from, choice.to, session.organization.timezone);
    const status = isOneOf(REPLAYABLE_STATUSES, choice.status) ? choice.status : null;
    const body = { status, from, to };
    const { count, remaining } = await withKey((key) => replayMany(body, key));
    setProgress((before) => ({
      sent: (before?.sent ?? 0) + count,
      total: before?.total ?? count + remaining,
    }));
    await queries.invalidateQueries({ queryKey: ['webhook-deliveries'] });
  });
  const change = (fields: Partial<Choice>) => {
    setChoice((before) => ({ ...before, ...fields }));
    setProgress(undefined);
  };
  const left = progress === undefined ? undefined : Math.max(0, progress.total - progress.sent);
  return (
    <Dialog title={t`Send many again`} onClose={onClose} closeLabel={t`Close`}>
      <form
        className={form['form']}
        onSubmit={(event) => {
          event.preventDefault();
          void replay.run();
        }}
      >
        <ReplayFields choice={choice} errorOf={replay.errorOf} onChange={change} />
        <div role="status">{progress && <ReplayProgress {...progress} />}</div>
        <div role="alert">{replay.error !== undefined && <ErrorNotice error={replay.error} />}</div>
        <div className={form['actions']}>
          {left !== 0 && (
            <Button type="submit" kind="primary" isPending={replay.isPending}>
              {left === undefined ? <Trans>Send again</Trans> : <Trans>Send the next 500</Trans>}
            </Button>
          )}
          <Button onClick={onClose}>
            <Trans>Close</Trans>
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

interface FieldsProps {
  readonly choice: Choice;
  readonly errorOf: (propertyPath: string) => string | undefined;
  readonly onChange: (fields: Partial<Choice>) => void;
}

function ReplayFields({ choice: { status, from, to }, errorOf, onChange }: FieldsProps) {
  const { t, i18n } = useLingui();
  const failed = formatList(FAILED_STATUSES.map((word) => i18n._(DELIVERY_STATUS_WORDS[word])));
  return (
    <>
      <SelectField
        label={t`Which`}
        value={status}
        onChange={(next) => onChange({ status: next })}
        options={[
          { value: '', label: t`All that failed: ${failed}` },
          ...REPLAYABLE_STATUSES.map((value) => ({ value, label: i18n._(DELIVERY_STATUS_WORDS[value]) })),
        ]}
      />
      <div className={form['pair']}>
        <TextField
          label={t`From`}
          type="date"
          value={from}
          onChange={(next) => onChange({ from: next })}
          error={errorOf('from')}
        />
        <TextField
          label={t`To`}
          type="date"
          value={to}
          onChange={(next) => onChange({ to: next })}
          error={errorOf('to')}
        />
      </div>
    </>
  );
}

function ReplayProgress({ sent, total }: Progress) {
  const left = Math.max(0, total - sent);
  if (total === 0) {
    return (
      <Notice kind="info">
        <Trans>There is nothing to send again.</Trans>
      </Notice>
    );
  }
  return (
    <Notice kind={left === 0 ? 'success' : 'info'}>
      <p>
        <Plural value={sent} one="# webhook is sent again." other="# webhooks are sent again." />{' '}
        {left > 0 && <Plural value={left} one="# remains." other="# remain." />}
      </p>
    </Notice>
  );
}
