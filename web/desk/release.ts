import type { Session } from '../shared/client.ts';

/** The script that this page began with; the service names its current one as the session's `version` (decision 0029). */
const OWN_SCRIPT = document.querySelector('script[src]')?.getAttribute('src')?.split('/').at(-1);

/** Chunks that the service no longer has: a release replaced them while this page was open. */
let hasLostPart = false;
const watchers = new Set<() => void>();

function noteLostPart(): void {
  hasLostPart = true;
  for (const watch of watchers) watch();
}

/** Vite says so when a screen's script or style cannot be loaded; without a release, the service was unreachable. */
window.addEventListener('vite:preloadError', noteLostPart);

/** Whether a part of the console could not be loaded; for `useSyncExternalStore`. */
export const lostPart = {
  watch: (notify: () => void): (() => void) => {
    watchers.add(notify);
    return () => watchers.delete(notify);
  },
  read: (): boolean => hasLostPart,
};

/** Whether the service has another console than this page. Unknown counts as no: so it is while developing. */
export function isOutdated({ version }: Pick<Session, 'version'>): boolean {
  return !import.meta.env.DEV && version !== null && version !== OWN_SCRIPT;
}
