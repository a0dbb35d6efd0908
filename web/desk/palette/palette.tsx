import { Trans, useLingui } from '@lingui/react/macro';
import type { KeyboardEvent } from 'react';
import { useDeferredValue, useEffect, useEffectEvent, useRef, useState } from 'react';
import { Autocomplete } from 'react-aria-components/Autocomplete';
import { Input } from 'react-aria-components/Input';
import { Header, ListBox, ListBoxItem, ListBoxSection, Text } from 'react-aria-components/ListBox';
import { TextField } from 'react-aria-components/TextField';
import { useLocation } from 'wouter';
import { Dialog } from '../parts/dialog.tsx';
import { useHeldText } from '../parts/held-keys.tsx';
import type { ScreenDefinition } from '../screens.ts';
import { useSession } from '../session.tsx';
import { rightsOf } from '../session-life.ts';
import type { EntryGroup, PaletteEntry } from './entries.ts';
import { matching, useCommands } from './entries.ts';
import { useFoundShipments, useTeamEntries } from './found-records.ts';
import { recentEntries, rememberEntry } from './recent.ts';
import styles from './palette.module.css';

const TYPING_PAUSE_MS = 150;
const SHOWN_OF_EACH = 5;

interface Props {
  readonly screens: readonly ScreenDefinition[];
  readonly onClose: () => void;
}

/** One field over shipments, drivers, runs and commands; what was opened last is there immediately. */
export default function Palette({ screens, onClose }: Props) {
  const { t } = useLingui();
  const { session } = useSession();
  const [, navigate] = useLocation();
  const [typed, setTyped] = useState('');
  useHeldText(setTyped);
  const { groups, isPending, isCurrent } = useGroups(screens, typed);
  const choose = (key: string) => {
    const entry = groups.flatMap(({ entries }) => entries).find((known) => known.key === key);
    if (entry === undefined) return;
    onClose();
    if (typeof entry.to === 'string') {
      rememberEntry(rightsOf(session), entry);
      navigate(entry.to);
    } else entry.to();
  };
  const isTyped = typed.trim() !== '';
  const first = isTyped ? groups[0]?.entries[0]?.key : undefined;
  const onKey = useEnter({ first, isPending: isTyped && isPending, isCurrent, choose });
  return (
    <Dialog title={t`Search`} onClose={onClose} closeLabel={t`Close the search`}>
      <div className={styles['palette']} onKeyDownCapture={onKey}>
        <Autocomplete inputValue={typed} onInputChange={setTyped}>
          <TextField aria-label={t`Shipment, driver, run or command`} autoFocus>
            <Input
              className={styles['input'] ?? ''}
              dir="auto"
              placeholder={t`Shipment, driver, run or command`}
            />
          </TextField>
          <ListBox
            className={styles['list'] ?? ''}
            aria-label={t`Found`}
            selectionMode="none"
            onAction={(key) => choose(String(key))}
            renderEmptyState={() => <Nothing isPending={isPending} />}
          >
            {groups.map((group) => (
              <Group key={group.key} group={group} />
            ))}
          </ListBox>
        </Autocomplete>
      </div>
    </Dialog>
  );
}

/** The key of the highlighted entry. */
function highlightedIn(element: HTMLElement): string | undefined {
  return element.querySelector<HTMLElement>('[role="option"][data-focused]')?.dataset['key'];
}

function Nothing({ isPending }: { readonly isPending: boolean }) {
  return (
    <p className={styles['nothing']}>
      {isPending ? <Trans>Searching…</Trans> : <Trans>Nothing is found.</Trans>}
    </p>
  );
}

function Group({ group: { key: groupKey, title, entries } }: { readonly group: EntryGroup }) {
  return (
    <ListBoxSection id={groupKey}>
      <Header className={styles['group'] ?? ''}>{title}</Header>
      {entries.map(({ key, title: name, note }) => (
        <ListBoxItem key={key} id={key} textValue={name} className={styles['entry'] ?? ''}>
          <Text slot="label" className={styles['name'] ?? ''}>
            <bdi>{name}</bdi>
          </Text>
          {note !== undefined && (
            <Text slot="description" className={styles['note'] ?? ''}>
              {note}
            </Text>
          )}
        </ListBoxItem>
      ))}
    </ListBoxSection>
  );
}

interface Offer {
  /** The key of the first entry for what is typed. */
  readonly first: string | undefined;
  readonly isPending: boolean;
  /** Whether the entries are those of what is typed, and not of an earlier text. */
  readonly isCurrent: boolean;
  readonly choose: (key: string) => void;
}

/**
 * Takes Enter in the field, and returns what hears the keys. The highlighted entry is chosen, otherwise the first: the list itself
 * learns of a highlight a moment later than it is shown, so that a fast Enter would be lost. Where nothing that was typed is
 * offered yet, the first entry is chosen as soon as one is there, and never one of an earlier text. Any other key takes that back.
 */
function useEnter({
  first,
  isPending,
  isCurrent,
  choose,
}: Offer): (event: KeyboardEvent<HTMLElement>) => void {
  const isWaiting = useRef(false);
  const act = useEffectEvent((key: string) => choose(key));
  useEffect(() => {
    if (!isWaiting.current || !isCurrent) return;
    if (first === undefined && isPending) return;
    isWaiting.current = false;
    if (first !== undefined) act(first);
  }, [first, isPending, isCurrent]);
  return (event) => {
    isWaiting.current = false;
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    if (!(event.target instanceof HTMLInputElement)) return;
    event.preventDefault();
    event.stopPropagation();
    const offered = isCurrent ? (highlightedIn(event.currentTarget) ?? first) : undefined;
    if (offered === undefined) isWaiting.current = !isCurrent || isPending;
    else choose(offered);
  };
}

/** A text once the person has stopped typing for a moment. */
function usePaused(text: string): string {
  const [paused, setPaused] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return paused;
}

function useGroups(screens: readonly ScreenDefinition[], typed: string) {
  const { t } = useLingui();
  const { session } = useSession();
  const searched = usePaused(typed);
  const shipments = useFoundShipments(searched);
  const team = useTeamEntries();
  const commands = useCommands(screens);
  const wanted = useDeferredValue(typed);
  const isTyped = wanted.trim() !== '';
  const recent: readonly PaletteEntry[] = isTyped ? [] : recentEntries(rightsOf(session));
  const found = (entries: readonly PaletteEntry[]) =>
    isTyped ? matching(entries, wanted).slice(0, SHOWN_OF_EACH) : [];
  const groups: readonly EntryGroup[] = [
    { key: 'recent', title: t`Opened last`, entries: recent },
    { key: 'drivers', title: t`Drivers`, entries: found(team.drivers) },
    { key: 'runs', title: t`Runs`, entries: found(team.runs) },
    { key: 'commands', title: t`Commands`, entries: isTyped ? found(commands) : commands },
    // Last, since they come later: nothing moves under the person's eyes.
    { key: 'shipments', title: t`Shipments`, entries: isTyped ? shipments.entries : [] },
  ];
  return {
    groups: groups.filter(({ entries }) => entries.length > 0),
    isPending: shipments.isPending || searched !== typed,
    isCurrent: wanted === typed && (shipments.entries.length === 0 || searched === typed),
  };
}
