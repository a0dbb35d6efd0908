import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { isAway } from '../shared/problem.ts';
import { activateLanguage, browserLanguage } from '../shared/words.ts';
import { App } from './app.tsx';
import { loadEarly } from './screens.ts';
import { SessionGate } from './session.tsx';
import './styles/tokens.css';
import './styles/base.css';

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      // What was read stays on the screen while the service is away, and is read again when it is back.
      retry: (failures, error) => isAway(error) && failures < 10,
      retryDelay: (attempt) => Math.min(1_000 * 2 ** attempt, 10_000),
      staleTime: 5_000,
      gcTime: 10 * 60_000,
      // The service may be reachable where the browser believes itself offline, on a local network.
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
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
