import { useState } from 'react';
import { RejectedRequest } from '../../shared/problem.ts';
import type { ActionState } from './use-action.ts';
import { useAction } from './use-action.ts';

/** A record as it was read, with its entity tag for `If-Match`. */
export interface TaggedRecord<Body> {
  readonly body: Body;
  readonly etag: string | null;
}

interface Options<Body, Change> {
  /** The record that the form was filled with. */
  readonly initial: TaggedRecord<Body>;
  /** Reads the record as it is now. */
  readonly read: () => Promise<TaggedRecord<Body>>;
  /** Sends a change with `If-Match: etag`. */
  readonly send: (change: Change, etag: string | null) => Promise<TaggedRecord<Body>>;
}

export interface EditState<Body, Change> extends ActionState<Change> {
  /** What the change is made to: what was read, or what the person has accepted since. */
  readonly base: TaggedRecord<Body>;
  /** The record as somebody else has made it meanwhile: the last change was answered 412, and nothing was overwritten. */
  readonly conflict: TaggedRecord<Body> | undefined;
  /** Makes their version the base; the form is then filled with it. */
  readonly takeTheirs: () => void;
  /** Sends the rejected change again, to their version. */
  readonly keepMine: () => Promise<boolean>;
}

/** An edit that overwrites nothing unseen: a 412 reads the record again and waits for the person's choice. */
export function useEdit<Body, Change>({
  initial,
  read,
  send,
}: Options<Body, Change>): EditState<Body, Change> {
  const [base, setBase] = useState(initial);
  const [conflict, setConflict] = useState<{
    readonly theirs: TaggedRecord<Body>;
    readonly change: Change;
  }>();
  const { run, clear, ...state } = useAction(
    async ({ change, etag }: { change: Change; etag: string | null }) => {
      try {
        setBase(await send(change, etag));
        setConflict(undefined);
      } catch (error) {
        if (error instanceof RejectedRequest && error.status === 412) {
          setConflict({ theirs: await read(), change });
        }
        throw error;
      }
    },
  );
  return {
    ...state,
    run: (change) => run({ change, etag: base.etag }),
    clear,
    base,
    conflict: conflict?.theirs,
    takeTheirs: () => {
      if (conflict === undefined) return;
      setBase(conflict.theirs);
      setConflict(undefined);
      clear();
    },
    keepMine: async () =>
      conflict !== undefined && run({ change: conflict.change, etag: conflict.theirs.etag }),
  };
}
