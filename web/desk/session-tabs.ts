/** What a tab tells the others of its browser: they share one cookie, and so one session. */
export type SessionNews = 'signed-out' | 'signed-in' | 'changed';

/** One for the page: what it tells reaches every other channel of the name, but not itself. */
const channel = new BroadcastChannel('desk-session');

/** Tells the other tabs. They ask the service themselves: a tab's word opens and shows nothing. */
export function tellOtherTabs(news: SessionNews): void {
  channel.postMessage(news);
}

/** Calls `hear` with what other tabs tell. Returns what ends it. */
export function hearOtherTabs(hear: (news: SessionNews) => void): () => void {
  const listen = ({ data }: MessageEvent<SessionNews>) => hear(data);
  channel.addEventListener('message', listen);
  return () => channel.removeEventListener('message', listen);
}
