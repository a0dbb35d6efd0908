import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useEffect, useState } from 'react';
import { Button } from '../parts/button.tsx';
import { ErrorText } from '../parts/notice.tsx';
import { focusBoard, focusWhereItIs } from './acts.ts';
import type { BoardNews } from './board-context.ts';
import { useBoardTools, useTopic } from './board-context.ts';
import { UNDO_WITHIN_MS } from './last-move.ts';
import { useNewsText } from './news-text.ts';
import type { Iri } from './rows.ts';
import { TOPICS } from './views.ts';
import styles from './board.module.css';

/** What became of the last move, what was not sent or not confirmed, and the way back; said to readers of the screen too. */
export function MoveStrip() {
  const tools = useBoardTools();
  const { mover, store } = tools;
  const { t } = useLingui();
  const { news, canUndo } = useLastNews();
  const text = useNewsText(news);
  const unsent = useTopic(TOPICS.moves, () => store.marked('unsent'));
  const unconfirmed = useTopic(TOPICS.moves, () => store.marked('unconfirmed'));
  // The button goes away with what it does: the keys of the board work on.
  const act = (run: () => void) => () => {
    run();
    focusBoard(tools);
  };
  return (
    <div className={styles['strip']}>
      <span role="status" className={styles['news']}>
        {text}
        {news?.kind === 'not_printed' && <ErrorText error={news.error} />}
      </span>
      {canUndo && (
        <Button onClick={act(() => mover.undo())} aria-keyshortcuts="Control+Z Meta+Z">
          <Trans>Undo</Trans>
        </Button>
      )}
      {unsent + unconfirmed > 0 && (
        <span role="alert" className={styles['unsent']}>
          {unsent > 0 && <Plural value={unsent} one="# move was not sent." other="# moves were not sent." />}{' '}
          {unconfirmed > 0 && (
            <Plural value={unconfirmed} one="# move is not confirmed." other="# moves are not confirmed." />
          )}{' '}
          <Button onClick={act(() => mover.sendAgain())}>
            <Trans>Send again</Trans>
          </Button>{' '}
          <Button
            kind="quiet"
            onClick={act(() => mover.putBack())}
            title={t`Shows the cards as the service has them`}
          >
            <Trans>Put back</Trans>
          </Button>
        </span>
      )}
    </div>
  );
}

/** The card that stands again where it was: its move was rejected, or is taken back. */
function comesBack(news: BoardNews): Iri | undefined {
  if (news.kind === 'rejected') return news.tasks[0];
  return news.kind === 'made' && news.move.isUndo ? news.move.plan[0]?.task : undefined;
}

/** The last that was told, and whether it can be taken back; a card that comes back also gets the focus back. */
function useLastNews(): { readonly news: BoardNews | undefined; readonly canUndo: boolean } {
  const tools = useBoardTools();
  const [news, setNews] = useState<BoardNews | undefined>();
  const [canUndo, setCanUndo] = useState(false);
  useEffect(() => {
    let left: object | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = tools.listen((told) => {
      const back = comesBack(told);
      // The focus comes back with the card unless the person has gone on meanwhile.
      if (back !== undefined && tools.focus.at === left && tools.focus.isInside) focusWhereItIs(tools, back);
      if (told.kind === 'made') queueMicrotask(() => (left = tools.focus.at));
      setNews(told);
      const isMove = told.kind === 'made' || told.kind === 'applied';
      setCanUndo(isMove && tools.mover.last.undoable() === told.move);
      clearTimeout(timer);
      if (isMove) timer = setTimeout(() => setCanUndo(false), UNDO_WITHIN_MS);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [tools]);
  return { news, canUndo };
}
