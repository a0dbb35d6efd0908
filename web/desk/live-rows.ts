import { useEffect, useEffectEvent } from 'react';
import type { ChangedRow, ChangeKind, StreamEvent } from '../shared/changes.ts';
import { useChangeStream } from './changes.tsx';

/** A row of a kind as the stream told it. */
export interface LiveRow {
  readonly kind: ChangeKind;
  readonly row: ChangedRow;
}

/** Rows that come within this time are handed on together. */
const GATHER_MS = 300;

/**
 * Hands on the rows of some kinds that changed, a few times a second at most; `onReset` when the stream could not be continued
 * and everything must be read again.
 */
export function useLiveRows(
  kinds: readonly ChangeKind[],
  onRows: (rows: readonly LiveRow[]) => void,
  onReset: () => void,
): void {
  const stream = useChangeStream();
  const names = kinds.join();
  const hand = useEffectEvent(onRows);
  const reset = useEffectEvent(onReset);
  useEffect(() => {
    if (stream === null) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let gathered: LiveRow[] = [];
    const flush = () => {
      timer = undefined;
      const rows = gathered;
      gathered = [];
      hand(rows);
    };
    stream.startFrom();
    const unsubscribe = stream.subscribe((event: StreamEvent) => {
      if (event.kind === 'state') return;
      if (event.kind === 'reset') {
        reset();
        return;
      }
      if (!names.split(',').includes(event.kind)) return;
      gathered.push(event);
      timer ??= setTimeout(flush, GATHER_MS);
    });
    return () => {
      clearTimeout(timer);
      unsubscribe();
    };
  }, [stream, names]);
}
