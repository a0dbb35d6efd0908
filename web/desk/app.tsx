import { Trans } from '@lingui/react/macro';
import { Suspense } from 'react';
import { Redirect, Route, Router, Switch } from 'wouter';
import { ChangesProvider } from './changes.tsx';
import { Drawers } from './drawers.tsx';
import { askBeforeLeaving } from './leave-guard.tsx';
import { Layout } from './layout.tsx';
import { Skeleton } from './parts/states.tsx';
import { RoadNotice } from './road-notice.tsx';
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
          <Suspense fallback={<Skeleton rows={8} />}>
            <Switch>
              {screens.map(({ path, Screen }) => (
                <Route key={path} path={`${path}/*?`}>
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
            <Drawers />
          </Suspense>
        </Layout>
      </ChangesProvider>
    </Router>
  );
}
