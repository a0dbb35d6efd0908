import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { unreachableSince, watchReachability } from '../shared/client.ts';
import { isAway, RejectedRequest } from '../shared/problem.ts';
import { activateLanguage } from '../shared/activate-language.ts';
import { browserLanguage } from '../shared/words.ts';
import { App } from './app.tsx';
import { loadEarly } from './screens.ts';
import { SessionGate } from './session.tsx';
import './styles/tokens.css';
import './styles/base.css';

const MOST_RETRIES = 4;
const AGAIN_AFTER_MS = 10_000;

/** Whether the person sends too much: the service says when to ask again, and the screen says so meanwhile. */
function isLimited(error: unknown): error is RejectedRequest {
  return error instanceof RejectedRequest && error.status === 429;
}

function againAfterMs(error: unknown): number {
  const seconds = isLimited(error) ? error.retryAfterSeconds : undefined;
  return seconds === undefined ? AGAIN_AFTER_MS : seconds * 1_000;
}

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      // What was read stays on the screen while the service is away, and is read again when it is back.
      retry: (failures, error) => isAway(error) && !isLimited(error) && failures < MOST_RETRIES,
      retryDelay: (attempt) => Math.min(1_000 * 2 ** attempt, 10_000),
      refetchInterval: ({ state: { error } }) => (isAway(error) ? againAfterMs(error) : false),
      staleTime: 5_000,
      gcTime: 10 * 60_000,
      // The service may be reachable where the browser believes itself offline, on a local network.
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
});

// What could not be read meanwhile is read as soon as the service is back; what is being asked, or may not be asked yet, is left alone.
watchReachability(() => {
  if (unreachableSince() !== undefined) return;
  void queries.refetchQueries(
    {
      type: 'active',
      fetchStatus: 'idle',
      predicate: ({ state: { error } }) => isAway(error) && !isLimited(error),
    },
    { cancelRefetch: false },
  );
});

loadEarly(window.location.pathname);
await activateLanguage(browserLanguage());
const place = document.getElementById('desk');
if (place === null) throw new Error('the page has no place for the console');
// What a boundary caught is shown in the page; a fault of ours stays findable in the console.
const onCaughtError = (error: unknown) => console.warn(error);
createRoot(place, { onCaughtError }).render(
  <StrictMode>
    <I18nProvider i18n={i18n}>
      <QueryClientProvider client={queries}>
        <SessionGate>
          <App />
        </SessionGate>
      </QueryClientProvider>
    </I18nProvider>
  </StrictMode>,
);
