const CHANNEL = 'desk-session';

/** What a tab tells the others of its browser: they share one cookie, and so one session. */
export type SessionNews = 'signed-out' | 'signed-in' | 'changed';

/** Tells the other tabs. They ask the service themselves: a tab's word opens and shows nothing. */
export function tellOtherTabs(news: SessionNews): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(news);
  channel.close();
}

/** Calls `hear` with what other tabs tell. Returns what ends it. */
export function hearOtherTabs(hear: (news: SessionNews) => void): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.addEventListener('message', ({ data }: MessageEvent<SessionNews>) => hear(data));
  return () => channel.close();
}
