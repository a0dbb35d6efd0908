import { useLingui } from '@lingui/react/macro';
import type { ShipmentStatus, TaskStatus } from '../../../domain/enumerations.ts';
import { SHIPMENT_STATUS_WORDS, TASK_STATUS_WORDS } from '../../shared/domain-words.ts';
import styles from './status-sign.module.css';

/** Colour and sign of a status: the sign alone says it too. */
export type Look = readonly [tone: 'quiet' | 'open' | 'moving' | 'good' | 'bad', sign: string];

const TASK_LOOKS: Readonly<Record<TaskStatus, Look>> = {
  waiting_for_pickup: ['quiet', '○'],
  assigned_waiting: ['open', '◔'],
  pending: ['quiet', '○'],
  assigned: ['open', '◑'],
  pickup_in_progress: ['moving', '▸'],
  picked_up: ['moving', '▣'],
  delivery_in_progress: ['moving', '▶'],
  in_transit: ['moving', '▶'],
  delivered: ['good', '✓'],
  failed: ['bad', '!'],
  cancelled: ['quiet', '✕'],
};

const SHIPMENT_LOOKS: Readonly<Record<ShipmentStatus, Look>> = {
  pending_approval: ['open', '?'],
  pending: ['quiet', '○'],
  pickup_in_progress: ['moving', '▸'],
  picked_up: ['moving', '▣'],
  in_transit: ['moving', '▶'],
  delivered: ['good', '✓'],
  returned: ['bad', '↩'],
  cancelled: ['quiet', '✕'],
};

/** A task's status in colour, sign and words; `isShort` shows the sign alone, with the words for readers. */
export function TaskStatusSign({
  status,
  isShort = false,
}: {
  readonly status: TaskStatus;
  readonly isShort?: boolean;
}) {
  const { i18n } = useLingui();
  return <Sign look={TASK_LOOKS[status]} words={i18n._(TASK_STATUS_WORDS[status])} isShort={isShort} />;
}

export function ShipmentStatusSign({ status }: { readonly status: ShipmentStatus }) {
  const { i18n } = useLingui();
  return <Sign look={SHIPMENT_LOOKS[status]} words={i18n._(SHIPMENT_STATUS_WORDS[status])} />;
}

interface SignProps {
  readonly look: Look;
  readonly words: string;
  readonly isShort?: boolean;
}

/** Signs that point to where the line ends. */
const DIRECTED: ReadonlySet<string> = new Set(['▸', '▶', '↩']);

/** A status of any kind, by its look and its words. */
export function Sign({ look: [tone, sign], words, isShort = false }: SignProps) {
  return (
    <span className={`${styles['sign']} ${styles[tone]}`} title={isShort ? words : undefined}>
      <span
        className={DIRECTED.has(sign) ? styles['directed'] : undefined}
        aria-hidden={!isShort}
        {...(isShort && { role: 'img', 'aria-label': words })}
      >
        {sign}
      </span>
      {!isShort && <span>{words}</span>}
    </span>
  );
}
