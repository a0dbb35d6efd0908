import { Trans } from '@lingui/react/macro';
import { Suspense } from 'react';
import { Redirect, Route, Router, Switch, useLocation, useSearch } from 'wouter';
import { ChangesProvider } from './changes.tsx';
import { Drawers } from './drawers.tsx';
import { askBeforeLeaving } from './leave-guard.tsx';
import { Layout } from './layout.tsx';
import { FailedPart } from './failed-part.tsx';
import { PartBoundary } from './part-boundary.tsx';
import { Skeleton } from './parts/states.tsx';
import { RoadNotice } from './road-notice.tsx';
import type { ScreenDefinition } from './screens.ts';
import { homeOf, SCREENS } from './screens.ts';
import { useSession } from './session.tsx';

/** The console of a signed-in person: a role sees only the screens that it may use. */
export function App() {
  const { session, may } = useSession();
  if (session.user.role === 'ROLE_DRIVER') return <RoadNotice />;
  const screens = SCREENS.filter(({ action }) => action === null || may(action));
  return (
    <Router base="/desk" aroundNav={askBeforeLeaving}>
      <ChangesProvider>
        <Layout screens={screens}>
          <CurrentScreen screens={screens} />
          <OpenDrawer />
        </Layout>
      </ChangesProvider>
    </Router>
  );
}

function CurrentScreen({ screens }: { readonly screens: readonly ScreenDefinition[] }) {
  const [path] = useLocation();
  return (
    <PartBoundary resetKey={path} fallback={<FailedPart />}>
      <Suspense fallback={<Skeleton rows={8} />}>
        <Switch>
          {screens.map(({ path: start, Screen }) => (
            <Route key={start} path={`${start}/*?`}>
              <Screen />
            </Route>
          ))}
          <Route path="/">
            <Redirect to={homeOf(screens)} replace />
          </Route>
          <Route>
            <p>
              <Trans>There is no such screen, or it is not for your role.</Trans>
            </p>
          </Route>
        </Switch>
      </Suspense>
    </PartBoundary>
  );
}

/** A drawer that cannot be shown leaves the screen below it as it is, with what was typed there. */
function OpenDrawer() {
  const search = useSearch();
  return (
    <PartBoundary resetKey={search} fallback={<FailedPart />}>
      <Suspense>
        <Drawers />
      </Suspense>
    </PartBoundary>
  );
}
