import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useSyncExternalStore } from 'react';
import { idOf } from '../../shared/client.ts';
import { formatAge } from '../../shared/format.ts';
import { serverNowMs } from '../../shared/server-clock.ts';
import type { MapSource, MapTask } from '../board/map-slot.ts';
import type { Iri } from '../board/rows.ts';
import { Button } from '../parts/button.tsx';
import { PinSign } from './legend.tsx';
import { PIN_LOOKS } from './looks.ts';
import type { Place } from './port.ts';
import styles from './map.module.css';

/** What the panel below the map is about. */
export type PanelSubject =
  | { readonly kind: 'here' | 'list'; readonly tasks: readonly Iri[] }
  | { readonly kind: 'unplaced' }
  | { readonly kind: 'driver'; readonly driver: Iri };

const MAXIMUM_ROWS = 100;

interface Props {
  readonly subject: PanelSubject;
  readonly source: MapSource;
  readonly onShow: (place: Place) => void;
  /** Opens the form that sets a task's place, by its id. */
  readonly onSetPlace: (task: string) => void;
  readonly onClose: () => void;
}

/** The tasks of a part of the map as a list, or a driver. */
export function BoardPanel({ subject, source, onShow, onSetPlace, onClose }: Props) {
  const { t } = useLingui();
  const tasks = useSyncExternalStore(source.subscribe, source.tasks);
  const shown = tasksOf(subject, tasks);
  return (
    <section className={styles['panel']} aria-label={t`Tasks of the map`}>
      <div className={styles['head']}>
        <h2>
          {subject.kind === 'unplaced' ? (
            <Trans>Not on the map</Trans>
          ) : (
            <Plural value={shown.length} one="# task" other="# tasks" />
          )}
        </h2>
        <Button kind="quiet" onClick={onClose} aria-label={t`Close`}>
          ✕
        </Button>
      </div>
      {subject.kind === 'driver' && (
        <DriverFacts driver={subject.driver} source={source} tasks={shown} onShow={onShow} />
      )}
      <ul className={styles['list']}>
        {shown.slice(0, MAXIMUM_ROWS).map((task) => (
          <Row key={task['@id']} task={task} source={source} onSetPlace={onSetPlace} />
        ))}
      </ul>
      {shown.length > MAXIMUM_ROWS && (
        <p className={styles['more']}>
          <Trans>Only the first {MAXIMUM_ROWS} are listed. Zoom in to see the others.</Trans>
        </p>
      )}
    </section>
  );
}

function tasksOf(subject: PanelSubject, tasks: readonly MapTask[]): readonly MapTask[] {
  if (subject.kind === 'driver')
    return tasks.filter(({ driver, pin }) => driver === subject.driver && pin !== 'done');
  if (subject.kind === 'unplaced')
    return tasks.filter(
      ({ latitude, longitude, pin }) => (latitude ?? longitude) === undefined && pin !== 'done',
    );
  const wanted = new Set(subject.tasks);
  const rank = ({ pin }: MapTask) => PIN_LOOKS[pin].rank;
  return tasks.filter((task) => wanted.has(task['@id'])).sort((one, other) => rank(other) - rank(one));
}

interface RowProps {
  readonly task: MapTask;
  readonly source: MapSource;
  readonly onSetPlace: (task: string) => void;
}

function Row({ task, source, onSetPlace }: RowProps) {
  const { t, i18n } = useLingui();
  const selection = useSyncExternalStore(source.subscribe, source.selection);
  const { '@id': iri, recipientName, street, city } = task;
  const where = [street, city].filter(Boolean).join(', ');
  const isPlaced = task.latitude !== undefined && task.longitude !== undefined;
  return (
    <li className={styles['item']}>
      <input
        type="checkbox"
        checked={selection.has(iri)}
        onChange={() => source.select([iri], 'toggle')}
        aria-label={t`Select ${recipientName}`}
      />
      <span title={i18n._(PIN_LOOKS[task.pin].words)}>
        <PinSign look={PIN_LOOKS[task.pin]} type={task.type} />
      </span>
      <span className={styles['name']}>
        <bdi>{recipientName}</bdi> <bdi className={styles['quietText']}>{where}</bdi>
      </span>
      {isPlaced ? (
        <Button
          kind="quiet"
          onClick={() => source.reveal(iri)}
          aria-label={t`Show ${recipientName} in the lanes`}
        >
          <Trans>Show</Trans>
        </Button>
      ) : (
        <Button onClick={() => onSetPlace(idOf(iri))} aria-label={t`Set the place of ${recipientName}`}>
          <Trans>Set the place</Trans>
        </Button>
      )}
    </li>
  );
}

interface DriverProps {
  readonly driver: Iri;
  readonly source: MapSource;
  readonly tasks: readonly MapTask[];
  readonly onShow: (place: Place) => void;
}

function DriverFacts({ driver, source, tasks, onShow }: DriverProps) {
  const drivers = useSyncExternalStore(source.subscribe, source.drivers);
  const found = drivers.find((one) => one['@id'] === driver);
  if (found === undefined) return null;
  const { firstName, lastName, phoneNumber, positionAt, latitude, longitude } = found;
  const age = positionAt === undefined ? '' : formatAge(positionAt, serverNowMs());
  return (
    <div className={styles['facts']}>
      <strong>
        <bdi>
          {firstName} {lastName}
        </bdi>
      </strong>
      <a href={`tel:${phoneNumber}`} dir="ltr">
        {phoneNumber}
      </a>
      {age !== '' && (
        <span>
          <Trans>Position: {age}</Trans>
        </span>
      )}
      {latitude !== undefined && longitude !== undefined && (
        <Button kind="quiet" onClick={() => onShow({ latitude, longitude })}>
          <Trans>Go there</Trans>
        </Button>
      )}
      <Button kind="quiet" onClick={() => source.select(tasks.map((task) => task['@id']))}>
        <Trans>Select all</Trans>
      </Button>
    </div>
  );
}
