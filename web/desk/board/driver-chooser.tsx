import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { KeyboardEvent } from 'react';
import { useId, useState } from 'react';
import { formatAmount } from '../../shared/format.ts';
import { Dialog } from '../parts/dialog.tsx';
import { TextField } from '../parts/fields.tsx';
import { useHeldText } from '../parts/held-keys.tsx';
import { assignTo } from './acts.ts';
import { useBoardTools, useTopic } from './board-context.ts';
import type { BoardDriver, Iri } from './rows.ts';
import { driverName } from './names.ts';
import { TOPICS } from './views.ts';
import { matches, searchWords } from '../../../domain/text-search.ts';
import styles from './dialogs.module.css';

/** More drivers than fit on a screen are found by their names. */
const SHOWN = 40;

interface Props {
  readonly tasks: readonly Iri[];
  readonly isAlone: boolean;
  readonly onClose: () => void;
}

/** Asks which driver gets the tasks: type some letters, choose with the arrows, ⏎. */
export function DriverChooser({ tasks, isAlone, onClose }: Props) {
  const tools = useBoardTools();
  const { t } = useLingui();
  const [text, setText] = useState('');
  useHeldText(setText);
  const [at, setAt] = useState(0);
  const listId = useId();
  const found = useFoundDrivers(text);
  const shown = found.slice(0, SHOWN);
  const chosen = Math.min(at, shown.length - 1);
  const choose = (driver: BoardDriver | undefined) => {
    if (driver === undefined) return;
    onClose();
    // The dialog gives the focus back first; then it goes on to the next card.
    setTimeout(() => assignTo(tools, tasks, driver['@id'], { isAlone }));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (by !== 0) setAt(Math.min(Math.max(chosen + by, 0), shown.length - 1));
    else if (event.key === 'Enter') choose(shown[chosen]);
    else return;
    event.preventDefault();
  };
  const more = found.length - shown.length;
  const count = tasks.length;
  return (
    <Dialog
      title={count === 1 ? t`Assign to a driver` : t`Assign ${count} cards to a driver`}
      onClose={onClose}
      closeLabel={t`Close`}
    >
      <div onKeyDown={onKeyDown} className={styles['chooser']}>
        <TextField
          label={t`Driver`}
          value={text}
          onChange={(value) => {
            setText(value);
            setAt(0);
          }}
          data-first=""
          autoComplete="off"
          role="combobox"
          aria-expanded="true"
          aria-controls={listId}
          aria-activedescendant={shown.length === 0 ? undefined : `${listId}-${chosen}`}
        />
        <DriverList listId={listId} drivers={shown} chosen={chosen} onChoose={choose} />
        <p role="status" className={styles['quiet']}>
          {found.length === 0 && <Trans>No driver has this name.</Trans>}
          {more > 0 && <Plural value={more} one="and # more: type a name" other="and # more: type a name" />}
        </p>
      </div>
    </Dialog>
  );
}

interface ListProps {
  readonly listId: string;
  readonly drivers: readonly BoardDriver[];
  readonly chosen: number;
  readonly onChoose: (driver: BoardDriver) => void;
}

function DriverList({ listId, drivers, chosen, onChoose }: ListProps) {
  const { t } = useLingui();
  return (
    <ul role="listbox" id={listId} aria-label={t`Drivers`} className={styles['options']}>
      {drivers.map((driver, index) => (
        <li
          key={driver['@id']}
          id={`${listId}-${index}`}
          role="option"
          aria-selected={index === chosen}
          className={styles['option']}
          onClick={() => onChoose(driver)}
        >
          <DriverLine driver={driver} />
        </li>
      ))}
    </ul>
  );
}

function DriverLine({ driver }: { readonly driver: BoardDriver }) {
  const { store, currency } = useBoardTools();
  const { total, cash } = store.lane(driver['@id']);
  return (
    <>
      <span className={styles['driver']}>
        <bdi>{driverName(driver)}</bdi>{' '}
        {!driver.isAvailable && (
          <span className={styles['quiet']}>
            <Trans>off duty</Trans>
          </span>
        )}
      </span>
      <span className={styles['quiet']}>
        <Plural value={total} one="# task" other="# tasks" />
        {cash !== '0.00' && <> · {<bdi>{formatAmount(cash, currency)}</bdi>}</>}
      </span>
    </>
  );
}

/** Who is on duty comes first. */
function useFoundDrivers(text: string): readonly BoardDriver[] {
  const { store } = useBoardTools();
  const lanes = useTopic(TOPICS.lanes, () => store.driverLanes());
  const words = searchWords(text);
  // Also those whose lanes the filter of the board hides.
  const all = new Map(
    [...lanes, ...store.rows.drivers.keys()].map((lane) => [lane, store.rows.drivers.get(lane)]),
  );
  const found = [...all.values()].flatMap((driver) =>
    driver !== undefined && matches(words, `${driverName(driver)} ${driver.phoneNumber}`) ? [driver] : [],
  );
  return found.sort((one, other) => Number(other.isAvailable) - Number(one.isAvailable));
}
