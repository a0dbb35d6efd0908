import { Plural, Trans } from '@lingui/react/macro';
import { idOf } from '../../shared/client.ts';
import type { Day } from '../day/day-rows.ts';
import { Button } from '../parts/button.tsx';
import { Notice } from '../parts/notice.tsx';
import { Sentence } from '../parts/sentence.tsx';
import type { Assignment, RunTask } from './run-edits.ts';
import styles from './runs.module.css';

interface Props {
  readonly results: readonly Assignment[];
  readonly tasks: readonly RunTask[];
  readonly day: Day | undefined;
  readonly onClose: () => void;
}

/** What became of giving each task of a run to its driver. */
export function AssignmentResults({ results, tasks, day, onClose }: Props) {
  const assigned = results.filter(({ status }) => status === 'assigned').length;
  const failed = results.filter(({ status }) => status === 'error');
  const pending = results.filter(({ status }) => status === 'pending');
  if (assigned + failed.length + pending.length === 0) return null;
  const nameOf = (iri: string) => {
    const id = idOf(iri);
    const name = day?.tasks.find((task) => task.id === id)?.recipientName;
    return name ?? tasks.find((task) => task.id === id)?.trackingNumber ?? id;
  };
  return (
    <Notice kind={failed.length > 0 ? 'danger' : pending.length > 0 ? 'warning' : 'success'}>
      <div role="status" className={styles['head']}>
        <div>
          {assigned > 0 && (
            <p>
              <Plural
                value={assigned}
                one="# task was given to the driver."
                other="# tasks were given to the driver."
              />
            </p>
          )}
          {failed.length > 0 && (
            <>
              <p>
                <Plural value={failed.length} one="# task was not given:" other="# tasks were not given:" />
              </p>
              <ul className={styles['results']}>
                {failed.map(({ task, ...said }) => (
                  <li key={task}>
                    <bdi>{nameOf(task)}</bdi>: <Sentence {...said} />
                  </li>
                ))}
              </ul>
            </>
          )}
          {pending.length > 0 && (
            <p>
              <Plural
                value={pending.length}
                one="# task is still being given; the list shows when it is done."
                other="# tasks are still being given; the list shows when they are done."
              />
            </p>
          )}
        </div>
        <Button kind="quiet" onClick={onClose}>
          <Trans>Close</Trans>
        </Button>
      </div>
    </Notice>
  );
}
