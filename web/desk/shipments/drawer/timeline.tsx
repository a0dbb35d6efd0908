import { Trans, useLingui } from '@lingui/react/macro';
import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { FAILURE_REASONS, isOneOf } from '../../../../domain/enumerations.ts';
import { FAILURE_REASON_WORDS, TASK_STATUS_WORDS, TASK_TYPE_WORDS } from '../../../shared/domain-words.ts';
import { formatDateTime } from '../../../shared/format.ts';
import { useSession } from '../../session.tsx';
import type { Shipment } from '../reads.ts';
import { Section } from './section.tsx';
import styles from './drawer.module.css';

type Entry = Shipment['timeline'][number];

const EVENT_WORDS: Readonly<Record<string, MessageDescriptor>> = {
  created: msg`Shipment created`,
  approved: msg`Approved`,
  task_added: msg`Task added`,
  deleted: msg`Deleted`,
  deadline_missed: msg`Deadline missed`,
};

/** A later arrival than this is said: the phone was offline, or somebody entered it afterwards. */
const LATE_ARRIVAL_MS = 60_000;

/** What happened, the newest first: when, who, and when the service received it. */
export function Timeline({ entries }: { readonly entries: readonly Entry[] }) {
  return (
    <Section title={<Trans>Timeline</Trans>}>
      <ol className={styles['timeline']} reversed>
        {[...entries].reverse().map((entry) => (
          <TimelineEntry key={entry.recordedAt} entry={entry} />
        ))}
      </ol>
    </Section>
  );
}

function TimelineEntry({ entry }: { readonly entry: Entry }) {
  const { session } = useSession();
  const { i18n } = useLingui();
  const zone = session.organization.timezone;
  const { occurredAt, recordedAt, reason, comment, driverName, changedBy } = entry;
  const told = formatDateTime(recordedAt, zone);
  const name = changedBy?.name;
  const isLate = Date.parse(recordedAt) - Date.parse(occurredAt) > LATE_ARRIVAL_MS;
  return (
    <li className={styles['entry']}>
      <time dateTime={occurredAt}>{formatDateTime(occurredAt, zone)}</time>
      <div>
        <EntryWords entry={entry} />
        {driverName !== undefined && (
          <>
            {' · '}
            <bdi>{driverName}</bdi>
          </>
        )}
        {reason !== undefined && (
          <div>
            {isOneOf(FAILURE_REASONS, reason) ? i18n._(FAILURE_REASON_WORDS[reason]) : <bdi>{reason}</bdi>}
          </div>
        )}
        {comment !== undefined && <bdi className={styles['text']}>{comment}</bdi>}
        {name !== undefined && (
          <div className={styles['quiet']}>
            <Trans>
              by <bdi>{name}</bdi>
            </Trans>
          </div>
        )}
        {isLate && (
          <div className={styles['quiet']}>
            <Trans>entered {told}</Trans>
          </div>
        )}
      </div>
    </li>
  );
}

function EntryWords({ entry: { event, taskType, taskStatus } }: { readonly entry: Entry }) {
  const { i18n } = useLingui();
  const task = taskType && i18n._(TASK_TYPE_WORDS[taskType]);
  const status = taskStatus && i18n._(TASK_STATUS_WORDS[taskStatus]);
  if (event === 'transition') return <strong>{[task, status].filter(Boolean).join(': ')}</strong>;
  const words = EVENT_WORDS[event];
  const said = words === undefined ? event : i18n._(words);
  return <strong>{task === undefined ? said : `${said}: ${task}`}</strong>;
}
