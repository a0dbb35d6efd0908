import { Trans } from '@lingui/react/macro';
import { formatTime } from '../../shared/format.ts';
import { useSession } from '../session.tsx';
import styles from './task-window.module.css';

interface Props {
  readonly task: { readonly after?: string; readonly before?: string };
}

/** When a task may be done, in the organization's time zone. */
export function TaskWindow({ task: { after, before } }: Props) {
  const { session } = useSession();
  const { timezone } = session.organization;
  const from = after === undefined ? '' : formatTime(after, timezone);
  const until = before === undefined ? '' : formatTime(before, timezone);
  if (from !== '' && until !== '') {
    return (
      <bdi dir="ltr" className={styles['window']}>
        {from}–{until}
      </bdi>
    );
  }
  if (from !== '') return <Trans>from {from}</Trans>;
  if (until !== '') return <Trans>by {until}</Trans>;
  return <Trans>any time</Trans>;
}
