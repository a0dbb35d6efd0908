import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import type { KeyboardEvent, ReactNode } from 'react';
import { useEffect, useState } from 'react';
import { answer, api } from '../../shared/client.ts';
import { formatDay } from '../../shared/format.ts';
import { useAddressParameter } from '../address.ts';
import { Button } from '../parts/button.tsx';
import { SelectField } from '../parts/fields.tsx';
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
  const { t } = useLingui();
  const [merchant, chooseMerchant] = useAddressParameter('merchant');
  const [zone, chooseZone] = useAddressParameter('zone');
  const [driver, chooseDriver] = useAddressParameter('driver');
  // What is behind a closed summary would take the service's time from the board.
  const [isOpen, setIsOpen] = useState(false);
  const merchants = useQuery({
    enabled: isOpen,
    queryKey: ['merchants', 'names'],
    queryFn: async () => {
      const params = { query: { itemsPerPage: 100 } };
      const { member } = await answer(api.GET('/merchants', { params }));
      return member.map(({ id, name }) => ({ value: id, label: name }));
    },
  });
  const zones = useQuery({
    enabled: isOpen,
    queryKey: ['zones', 'names'],
    queryFn: async () => {
      const params = { query: { itemsPerPage: 100 } };
      const { member } = await answer(api.GET('/zones', { params }));
      return member.map(({ id, name }) => ({ value: id, label: name }));
    },
  });
  const drivers = useQuery({
    enabled: isOpen,
    queryKey: ['drivers', 'names'],
    queryFn: async () => {
      const params = { query: { itemsPerPage: 100 } };
      const { member } = await answer(api.GET('/drivers', { params }));
      return member.map(({ id, firstName, lastName }) => ({ value: id, label: `${firstName} ${lastName}` }));
    },
  });
  const all = { value: '', label: t`All` };
  const choices = [
    { label: t`Merchant`, value: merchant, choose: chooseMerchant, options: merchants.data ?? [] },
    { label: t`Zone`, value: zone, choose: chooseZone, options: zones.data ?? [] },
    { label: t`Driver`, value: driver, choose: chooseDriver, options: drivers.data ?? [] },
  ];
  const count = choices.filter(({ value }) => value !== undefined).length;
  return (
    <details className={styles['more']} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary className={styles['summary']}>
        <Trans>More filters</Trans> {count > 0 && <bdi>({count})</bdi>}
      </summary>
      <div className={styles['choices']}>
        {choices.map(({ label, value, choose, options }) => (
          <SelectField
            key={label}
            label={label}
            value={value ?? ''}
            onChange={(next) => choose(next === '' ? undefined : next)}
            options={[all, ...options]}
          />
        ))}
      </div>
    </details>
  );
}
