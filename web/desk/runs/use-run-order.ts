import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { RejectedRequest } from '../../shared/problem.ts';
import type { TaggedRecord } from '../parts/use-edit.ts';
import { inOrder, moved } from './order.ts';
import type { Run } from './run-edits.ts';
import { patchRun, readRun, taskIri } from './run-edits.ts';

/** The order of a run's tasks as the person made it. */
export interface RunOrder {
  /** The ids of the tasks as they are shown. */
  readonly order: readonly string[];
  /** Whether the service has not yet answered for what is shown. */
  readonly isPending: boolean;
  readonly error: unknown;
  /** The run as somebody else changed it meanwhile, and the order that was rejected for it. */
  readonly conflict: { readonly theirs: TaggedRecord<Run>; readonly mine: readonly string[] } | undefined;
  readonly move: (id: string, by: -1 | 1) => void;
  readonly takeTheirs: () => void;
  readonly keepMine: () => void;
}

/**
 * Shows a move immediately and sends the whole order, one request at a time: what was moved meanwhile goes with the next one.
 * A rejection brings the service's order back.
 */
export function useRunOrder({ body: run, etag }: TaggedRecord<Run>): RunOrder {
  const queries = useQueryClient();
  const [wanted, setWanted] = useState<readonly string[]>();
  const [error, setError] = useState<unknown>();
  const [conflict, setConflict] = useState<RunOrder['conflict']>();
  const latest = useRef<readonly string[]>(undefined);
  const isSending = useRef(false);
  const known = run.tasks.map(({ id }) => id);
  const order = wanted === undefined ? known : inOrder(known, wanted);

  const send = async (next: readonly string[], tag: string | null) => {
    latest.current = next;
    setWanted(next);
    setError(undefined);
    setConflict(undefined);
    if (isSending.current) return;
    isSending.current = true;
    try {
      await sendLatest(run.id, tag, latest, (answer) => queries.setQueryData(['runs', run.id], answer));
    } catch (caught) {
      const mine = latest.current;
      latest.current = undefined;
      const isChanged = caught instanceof RejectedRequest && caught.status === 412;
      const theirs = isChanged ? await readRun(run.id).catch(() => undefined) : undefined;
      if (theirs === undefined) setError(caught);
      else setConflict({ theirs, mine });
      await queries.invalidateQueries({ queryKey: ['runs', run.id] });
    } finally {
      isSending.current = false;
      setWanted(undefined);
    }
  };
  return {
    order,
    isPending: wanted !== undefined,
    error,
    conflict,
    move: (id, by) => {
      const next = moved(order, id, by);
      if (next !== order) void send(next, etag);
    },
    takeTheirs: () => setConflict(undefined),
    keepMine: () => {
      if (conflict === undefined) return;
      const { theirs, mine } = conflict;
      void send(
        inOrder(
          theirs.body.tasks.map(({ id }) => id),
          mine,
        ),
        theirs.etag,
      );
    },
  };
}

/** Sends orders until the last one has been taken; a further one may come meanwhile. Rejects as `patchRun` does. */
async function sendLatest(
  id: string,
  firstTag: string | null,
  latest: { current: readonly string[] | undefined },
  keep: (run: TaggedRecord<Run>) => void,
): Promise<void> {
  let tag = firstTag;
  while (latest.current !== undefined) {
    const sent = latest.current;
    const answer = await patchRun(id, { tasks: sent.map(taskIri) }, tag);
    tag = answer.etag;
    keep(answer);
    if (latest.current === sent) latest.current = undefined;
  }
}
