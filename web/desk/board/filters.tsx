import { Trans, useLingui } from '@lingui/react/macro';
import type { KeyboardEvent, ReactNode } from 'react';
import { useEffect, useState } from 'react';
import { formatDay } from '../../shared/format.ts';
import { useAddressParameter } from '../address.ts';
import { Button } from '../parts/button.tsx';
import { useZones } from '../map/fleet.ts';
import { ChoiceField } from '../parts/choice-field.tsx';
import { RecordChoice } from '../parts/record-choice.tsx';
import type { RecordSource } from '../records.ts';
import { DRIVERS, MERCHANTS } from '../records.ts';
import { useBoardTools } from './board-context.ts';
import { otherDay } from './day.ts';
import { FILTER_FIELD_ID } from './use-actions.ts';
import styles from './board.module.css';

interface Props {
  /** The day that is shown, once it is known. */
  readonly date: string | undefined;
  readonly children: ReactNode;
}

/** Which day, and which of its tasks: all in the address, but the words that are typed. */
export function BoardFilters({ date, children }: Props) {
  return (
    <div className={styles['filters']}>
      <h1 className={styles['title']}>
        <Trans>Board</Trans>
      </h1>
      <DayChoice date={date} />
      <TextFilter />
      <MoreFilters />
      <span className={styles['space']} />
      {children}
    </div>
  );
}

function DayChoice({ date }: { readonly date: string | undefined }) {
  const { t } = useLingui();
  const [chosen, choose] = useAddressParameter('date');
  const go = (days: number) => date !== undefined && choose(otherDay(date, days));
  return (
    <div className={styles['day']} role="group" aria-label={t`Day`}>
      <Button kind="quiet" onClick={() => go(-1)} aria-label={t`Day before`}>
        <span aria-hidden="true" className={styles['arrow']}>
          ‹
        </span>
      </Button>
      <input
        type="date"
        className={styles['field']}
        aria-label={t`Day`}
        title={date === undefined ? undefined : formatDay(date)}
        value={date ?? ''}
        onChange={({ target }) => target.value !== '' && choose(target.value)}
      />
      <Button kind="quiet" onClick={() => go(1)} aria-label={t`Day after`}>
        <span aria-hidden="true" className={styles['arrow']}>
          ›
        </span>
      </Button>
      {chosen !== undefined && (
        <Button onClick={() => choose(undefined)}>
          <Trans>Today</Trans>
        </Button>
      )}
    </div>
  );
}

const TYPING_PAUSE_MS = 120;

function TextFilter() {
  const { t } = useLingui();
  const { store, focus } = useBoardTools();
  const [text, setText] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => store.filterBy(text), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [store, text]);
  const leave = (event: KeyboardEvent) => {
    if (event.key === 'Escape') setText('');
    if (event.key !== 'Escape' && event.key !== 'Enter') return;
    event.preventDefault();
    const { at } = focus;
    const lane = at?.lane ?? 'unassigned';
    const { order } = store.lane(lane);
    const task = at !== undefined && order.includes(at.task) ? at.task : order[0];
    if (task !== undefined) focus.request(lane, task);
  };
  return (
    <input
      id={FILTER_FIELD_ID}
      type="search"
      dir="auto"
      className={styles['field']}
      value={text}
      onChange={({ target }) => setText(target.value)}
      onKeyDown={leave}
      placeholder={t`Filter ( / )`}
      aria-label={t`Filter by name, number or place`}
      aria-keyshortcuts="/"
    />
  );
}

function MoreFilters() {
  const [isOpen, setIsOpen] = useState(false);
  const chosen = [
    useAddressParameter('merchant'),
    useAddressParameter('zone'),
    useAddressParameter('driver'),
  ];
  const count = chosen.filter(([value]) => value !== undefined).length;
  return (
    <details className={styles['more']} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary className={styles['summary']}>
        <Trans>More filters</Trans> {count > 0 && <bdi>({count})</bdi>}
      </summary>
      {isOpen && <FilterChoices />}
    </details>
  );
}

/** The names are read when somebody looks for one. */
function FilterChoices() {
  const { t } = useLingui();
  return (
    <div className={styles['choices']}>
      <RecordFilter name="merchant" label={t`Merchant`} source={MERCHANTS} />
      <ZoneFilter />
      <RecordFilter name="driver" label={t`Driver`} source={DRIVERS} />
    </div>
  );
}

interface RecordProps<Item> {
  readonly name: string;
  readonly label: string;
  readonly source: RecordSource<Item>;
}

function RecordFilter<Item extends { readonly id: string }>({ name, ...choice }: RecordProps<Item>) {
  const { t } = useLingui();
  const [value, choose] = useAddressParameter(name);
  return (
    <RecordChoice
      {...choice}
      none={t`All`}
      valueFor={({ id }) => id}
      value={value ?? ''}
      onChange={(next) => choose(next === '' ? undefined : next)}
    />
  );
}

function ZoneFilter() {
  const { t } = useLingui();
  const zones = useZones().data ?? [];
  const [value, choose] = useAddressParameter('zone');
  return (
    <ChoiceField
      label={t`Zone`}
      value={value ?? ''}
      onChange={(next) => choose(next === '' ? undefined : next)}
      options={[{ value: '', label: t`All` }, ...zones.map(({ id, name }) => ({ value: id, label: name }))]}
    />
  );
}
