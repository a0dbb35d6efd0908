import { Trans, useLingui } from '@lingui/react/macro';
import { useDeferredValue, useEffect, useState } from 'react';
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
  const { groups, isPending } = useGroups(screens, typed);
  const choose = (key: string) => {
    const entry = groups.flatMap(({ entries }) => entries).find((known) => known.key === key);
    if (entry === undefined) return;
    onClose();
    if (typeof entry.to === 'string') {
      rememberEntry(rightsOf(session), entry);
      navigate(entry.to);
    } else entry.to();
  };
  return (
    <Dialog title={t`Search`} onClose={onClose} closeLabel={t`Close the search`}>
      <div className={styles['palette']}>
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
  };
}
