import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { createContext, use, useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react';
import type { ChangeKind, StreamEvent, StreamState } from '../shared/changes.ts';
import { ChangeStream } from '../shared/changes.ts';
import { useSession } from './session.tsx';

const StreamContext = createContext<ChangeStream | null>(null);

/**
 * Opens the stream of changes for the screens below. The session is read again when the service closes it, and whenever it has
 * opened: the service knows the rights with which a stream begins, not those with which the page did.
 */
export function ChangesProvider({ children }: { readonly children: ReactNode }) {
  const { check, session } = useSession();
  const reader = session.user['@id'];
  const onDoubt = useEffectEvent(() => check());
  const [stream, setStream] = useState<ChangeStream | null>(null);
  useEffect(() => {
    const opened = new ChangeStream(reader, () => onDoubt());
    opened.subscribe((event) => {
      if (event.kind === 'state' && event.state.isLive) onDoubt();
    });
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

/** Changes that come within this time cause one reading. */
const GATHER_MS = 500;
/** Between two readings while changes do not end: a busy day must not use up the requests of the organization. */
const PACE_MS = 2_000;

/**
 * Reads a screen's queries again when rows of the kinds changed: `useFreshQueries(['Shipment'], ['shipments'])` invalidates the
 * queries whose keys begin with `shipments`. The first change of a quiet time is read immediately, the next ones `paceMs` apart,
 * and what changed behind a hidden tab when the tab is shown.
 */
export function useFreshQueries(
  kinds: readonly ChangeKind[],
  queryKey: readonly unknown[],
  paceMs: number = PACE_MS,
): void {
  const stream = useChangeStream();
  const queries = useQueryClient();
  const names = kinds.join();
  // As the beginning of the keys that it is meant for: `["shipments"`.
  const key = JSON.stringify(queryKey).slice(0, -1);
  useEffect(() => {
    if (stream === null) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isDue = false;
    let readAtMs = Number.NEGATIVE_INFINITY;
    const read = () => {
      timer = undefined;
      if (document.hidden) return;
      isDue = false;
      readAtMs = performance.now();
      void queries.invalidateQueries({
        predicate: (query) => JSON.stringify(query.queryKey).startsWith(key),
      });
    };
    const plan = () => {
      if (!isDue || document.hidden) return;
      timer ??= setTimeout(read, Math.max(GATHER_MS, readAtMs + paceMs - performance.now()));
    };
    stream.startFrom();
    const unsubscribe = stream.subscribe((event: StreamEvent) => {
      if (event.kind === 'state') return;
      if (event.kind !== 'reset' && !names.split(',').includes(event.kind)) return;
      isDue = true;
      plan();
    });
    document.addEventListener('visibilitychange', plan);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', plan);
      unsubscribe();
    };
  }, [stream, queries, names, key, paceMs]);
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
