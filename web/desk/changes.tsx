import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { createContext, use, useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react';
import type { ChangeKind, StreamEvent, StreamState } from '../shared/changes.ts';
import { ChangeStream } from '../shared/changes.ts';
import { useSession } from './session.tsx';

const StreamContext = createContext<ChangeStream | null>(null);

/** Opens the stream of changes for the screens below. When the service closes it, the session is read again. */
export function ChangesProvider({ children }: { readonly children: ReactNode }) {
  const { refresh, session } = useSession();
  const reader = session.user['@id'];
  const onRejected = useEffectEvent(() => void refresh().catch(() => undefined));
  const [stream, setStream] = useState<ChangeStream | null>(null);
  useEffect(() => {
    const opened = new ChangeStream(reader, () => onRejected());
    // An open stream is a thing outside of React: it is made once here, and not while drawing.
    // eslint-disable-next-line react-hooks/set-state-in-effect
    setStream(opened);
    return () => opened.close();
  }, [reader]);
  return <StreamContext value={stream}>{children}</StreamContext>;
}

/** The stream, null until it is made. */
export function useChangeStream(): ChangeStream | null {
  return use(StreamContext);
}

/** Opens the stream for a screen without live rows, so that its tab hears of a session that ended or lost a right. */
export function useOpenStream(): void {
  const stream = useChangeStream();
  useEffect(() => stream?.startFrom(), [stream]);
}

/**
 * Reads a screen's queries again when rows of the kinds changed, at most once in half a second: `useFreshQueries(['Shipment'],
 * ['shipments'])` invalidates the queries whose keys begin with `shipments`.
 */
export function useFreshQueries(kinds: readonly ChangeKind[], queryKey: readonly unknown[]): void {
  const stream = useChangeStream();
  const queries = useQueryClient();
  const names = kinds.join();
  // As the beginning of the keys that it is meant for: `["shipments"`.
  const key = JSON.stringify(queryKey).slice(0, -1);
  useEffect(() => {
    if (stream === null) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const readAgain = () => {
      timer = undefined;
      void queries.invalidateQueries({
        predicate: (query) => JSON.stringify(query.queryKey).startsWith(key),
      });
    };
    stream.startFrom();
    const unsubscribe = stream.subscribe((event: StreamEvent) => {
      if (event.kind === 'state') return;
      if (event.kind === 'reset' || names.split(',').includes(event.kind))
        timer ??= setTimeout(readAgain, 500);
    });
    return () => {
      clearTimeout(timer);
      unsubscribe();
    };
  }, [stream, queries, names, key]);
}

const LOST: StreamState = { isLive: false, sinceMs: 0 };

/** Whether changes arrive, and since when not. */
export function useStreamState(): StreamState {
  const stream = useChangeStream();
  const [holder] = useState<{ state: StreamState }>({ state: LOST });
  return useSyncExternalStore(
    (notify) =>
      stream?.subscribe((event) => {
        if (event.kind !== 'state') return;
        holder.state = event.state;
        notify();
      }) ?? (() => undefined),
    () => holder.state,
  );
}
