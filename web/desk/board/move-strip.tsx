import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useEffect, useState } from 'react';
import { Button } from '../parts/button.tsx';
import { ErrorText } from '../parts/notice.tsx';
import { focusWhereItIs } from './acts.ts';
import type { BoardNews } from './board-context.ts';
import { useBoardTools, useTopic } from './board-context.ts';
import { UNDO_WITHIN_MS } from './mover.ts';
import { useNewsText } from './news-text.ts';
import { TOPICS } from './store.ts';
import styles from './board.module.css';

/** What became of the last move, what was not sent or not confirmed, and the way back; said to readers of the screen too. */
export function MoveStrip() {
  const tools = useBoardTools();
  const { mover, store } = tools;
  const { t } = useLingui();
  const news = useLastNews();
  const text = useNewsText(news);
  const unsent = useTopic(TOPICS.moves, () => store.marked('unsent'));
  const unconfirmed = useTopic(TOPICS.moves, () => store.marked('unconfirmed'));
  const canUndo =
    news !== undefined && (news.kind === 'made' || news.kind === 'applied') && !news.move.isUndo;
  return (
    <div className={styles['strip']}>
      <span role="status" className={styles['news']}>
        {text}
        {news?.kind === 'not_printed' && <ErrorText error={news.error} />}
      </span>
      {canUndo && mover.undoable(Date.now()) !== undefined && (
        <Button onClick={() => mover.undo()} aria-keyshortcuts="Control+Z Meta+Z">
          <Trans>Undo</Trans>
        </Button>
      )}
      {unsent + unconfirmed > 0 && (
        <span role="alert" className={styles['unsent']}>
          {unsent > 0 && <Plural value={unsent} one="# move was not sent." other="# moves were not sent." />}{' '}
          {unconfirmed > 0 && (
            <Plural value={unconfirmed} one="# move is not confirmed." other="# moves are not confirmed." />
          )}{' '}
          <Button onClick={() => mover.sendAgain()}>
            <Trans>Send again</Trans>
          </Button>{' '}
          <Button
            kind="quiet"
            onClick={() => mover.putBack()}
            title={t`Shows the cards as the service has them`}
          >
            <Trans>Put back</Trans>
          </Button>
        </span>
      )}
    </div>
  );
}

/** The last that was told, for as long as a move can be taken back; a rejection also gives its card the focus back. */
function useLastNews(): BoardNews | undefined {
  const tools = useBoardTools();
  const [news, setNews] = useState<BoardNews | undefined>();
  useEffect(() => {
    let left: object | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = tools.listen((told) => {
      if (told.kind === 'made') queueMicrotask(() => (left = tools.focus.at));
      if (told.kind === 'rejected') {
        // The focus comes back to the card unless the person has gone on meanwhile.
        const [task] = told.tasks;
        if (task !== undefined && tools.focus.at === left && tools.focus.isInside)
          focusWhereItIs(tools, task);
      }
      setNews(told);
      clearTimeout(timer);
      const madeAtMs = 'move' in told ? told.move.madeAtMs : Date.now();
      timer = setTimeout(() => setNews(undefined), Math.max(madeAtMs + UNDO_WITHIN_MS - Date.now(), 3_000));
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [tools]);
  return news;
}
