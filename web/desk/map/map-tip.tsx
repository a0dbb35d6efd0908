import { Plural } from '@lingui/react/macro';
import type { MapTask } from '../board/map-slot.ts';
import type { BoardDriver } from '../board/rows.ts';
import type { Hit } from './port.ts';
import styles from './map.module.css';

interface Props {
  readonly over: { readonly hit: Hit; readonly x: number; readonly y: number };
  readonly tasks: readonly MapTask[];
  readonly drivers: readonly BoardDriver[];
}

/** Whose pin the mouse is over; keys and readers find the same in the list. */
export function MapTip({ over: { hit, x, y }, tasks, drivers }: Props) {
  const [only] = hit.pins;
  const task = tasks.find((one) => one['@id'] === only);
  const driver = drivers.find((one) => one['@id'] === hit.sight);
  if (task === undefined && driver === undefined) return null;
  return (
    <div
      className={styles['tip']}
      dir="ltr"
      aria-hidden="true"
      style={{ translate: `${x + 12}px ${y + 12}px` }}
    >
      {hit.pins.length > 1 ? (
        <Plural value={hit.pins.length} one="# task" other="# tasks" />
      ) : task ? (
        <>
          <bdi>{task.recipientName}</bdi>
          <br />
          <bdi>{[task.street, task.city].filter(Boolean).join(', ')}</bdi>
        </>
      ) : (
        <bdi>
          {driver?.firstName} {driver?.lastName}
        </bdi>
      )}
    </div>
  );
}
