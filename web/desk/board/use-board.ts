import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { answer, api } from '../../shared/client.ts';
import { dayOf } from '../../shared/format.ts';
import { serverNow, serverNowMs } from '../../shared/server-clock.ts';
import { useChangeStream } from '../changes.tsx';
import { useSession } from '../session.tsx';
import type { BoardNews, BoardTools, Question } from './board-context.ts';
import { isDriver, isRun, isTask } from './board-rows.ts';
import { DragState } from './drag.ts';
import { BoardFocus } from './focus.ts';
import { Mover } from './mover.ts';
import { BoardStore } from './store.ts';

/** What the address of the board asks for: ids, not IRIs. */
export interface BoardWishes {
  /** `YYYY-MM-DD`; undefined is today. */
  readonly date: string | undefined;
  readonly driver: string | undefined;
  readonly merchant: string | undefined;
  readonly zone: string | undefined;
}

const TICK_MS = 15_000;

/**
 * Reads a board and follows the changes from there. The tools are others whenever the wishes are; `question` is what is asked of
 * the person now.
 */
export function useBoard(wishes: BoardWishes) {
  const { session } = useSession();
  const { currency, timezone } = session.organization;
  const [question, setQuestion] = useState<Question | undefined>();
  const { date, driver, merchant, zone } = wishes;
  const tools = useMemo(
    () => makeTools({ wishes: { date, driver, merchant, zone }, currency, timezone, ask: setQuestion }),
    [date, driver, merchant, zone, currency, timezone],
  );
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['board', tools.id],
    queryFn: () => tools.read(),
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  useEffect(() => tools.mover.attach(tools.store, tools.tell), [tools]);
  useLiveStore(tools, data?.cursor, refetch);
  useTick(tools, date === undefined ? data?.date : undefined, refetch);
  return { tools, board: data, error, isPending, refetch, question, ask: setQuestion };
}

function useLiveStore(
  { store }: BoardTools,
  cursor: string | undefined,
  refetch: () => Promise<unknown>,
): void {
  const stream = useChangeStream();
  useEffect(() => {
    if (stream === null) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    store.whenToReadAgain(() => {
      clearTimeout(timer);
      timer = setTimeout(() => void refetch(), 300);
    });
    const unsubscribe = stream.subscribe((event) => {
      if (event.kind === 'reset') void refetch();
      else store.accept(event);
    });
    return () => {
      clearTimeout(timer);
      unsubscribe();
    };
  }, [stream, store, refetch]);
  useEffect(() => {
    if (cursor !== undefined) stream?.startFrom(cursor);
  }, [stream, cursor]);
}

/** What becomes late becomes it without a change; and at midnight today is another day. */
function useTick(
  { store, timeZone }: BoardTools,
  today: string | undefined,
  refetch: () => Promise<unknown>,
): void {
  useEffect(() => {
    const timer = setInterval(() => {
      store.tick(serverNowMs());
      if (today !== undefined && dayOf(serverNow(), timeZone) !== today) void refetch();
    }, TICK_MS);
    return () => clearInterval(timer);
  }, [store, timeZone, today, refetch]);
}

interface Given {
  readonly wishes: BoardWishes;
  readonly currency: string;
  readonly timezone: string;
  readonly ask: (question: Question) => void;
}

let made = 0;
/** One for the page: a move that is open when the person goes to another screen or day is still open there, and after it. */
let mover: Mover | undefined;
/** A rejection that came while no board was there to say so: the next one says it. */
let missed: BoardNews | undefined;

function makeTools({ wishes, currency, timezone, ask }: Given) {
  const store = new BoardStore(serverNowMs());
  const listeners = new Set<(news: BoardNews) => void>();
  const tell = (news: BoardNews) => {
    if (listeners.size === 0 && news.kind === 'rejected') missed = news;
    for (const listener of listeners) listener(news);
  };
  mover ??= new Mover(store, tell);
  const tools: BoardTools = {
    store,
    mover,
    focus: new BoardFocus(store.topics),
    drag: new DragState(store.topics),
    ...{ ask, tell, currency },
    anchor: { task: undefined, isClicked: false },
    listen: (listener) => {
      listeners.add(listener);
      if (missed !== undefined) listener(missed);
      missed = undefined;
      return () => listeners.delete(listener);
    },
    timeZone: timezone,
  };
  const iri = (segment: string, id: string | undefined) => id && `/api/v1/${segment}/${id}`;
  const { date, driver, merchant, zone } = wishes;
  const filter = {
    driver: iri('drivers', driver),
    merchant: iri('merchants', merchant),
    zone: iri('zones', zone),
  };
  made += 1;
  return {
    ...tools,
    id: made,
    read: async () => {
      store.rows.beginRead();
      const board = await answer(
        api.GET('/board', {
          params: {
            query: {
              ...(date && { date }),
              ...(driver && { driver }),
              ...(merchant && { merchant }),
              ...(zone && { zone }),
            },
          },
        }),
      );
      const rows = {
        drivers: only(board.drivers, isDriver),
        runs: only(board.runs, isRun),
        tasks: only(board.tasks, isTask),
      };
      store.load({ ...board, ...rows }, filter);
      const { cursor, asOf, isPartial } = board;
      return { cursor, asOf, isPartial, date: board.date, isEmpty: board.tasks.length === 0 };
    },
  };
}

/** The description of the API leaves out that each row has its IRI. */
function only<Row>(rows: readonly object[], isRow: (row: object) => row is Row & object): readonly Row[] {
  return rows.filter(isRow);
}
