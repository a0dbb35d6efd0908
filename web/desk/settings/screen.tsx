import { Trans, useLingui } from '@lingui/react/macro';
import { Suspense } from 'react';
import { Link, Redirect, Route, Switch, useLocation } from 'wouter';
import { useOpenStream } from '../changes.tsx';
import { ScreenHeader } from '../parts/screen-header.tsx';
import { Skeleton } from '../parts/states.tsx';
import { useSession } from '../session.tsx';
import { SECTIONS } from './sections.ts';
import styles from './settings.module.css';

/** What a role may set, each section with its own address: `/settings/users`. */
export default function SettingsScreen() {
  const { t, i18n } = useLingui();
  const { may } = useSession();
  const [path] = useLocation();
  useOpenStream();
  const sections = SECTIONS.filter(({ action }) => may(action));
  return (
    <>
      <ScreenHeader title={<Trans>Settings</Trans>} />
      <div className={styles['frame']}>
        <nav aria-label={t`Settings`} className={styles['sections']}>
          {sections.map(({ name, title }) => (
            <Link
              key={name}
              href={`/settings/${name}`}
              aria-current={path === `/settings/${name}` ? 'page' : undefined}
              className={styles['section']}
            >
              {i18n._(title)}
            </Link>
          ))}
        </nav>
        <div className={styles['content']}>
          <Suspense fallback={<Skeleton rows={8} />}>
            <Switch>
              {sections.map(({ name, Section }) => (
                <Route key={name} path={`/settings/${name}`}>
                  <Section />
                </Route>
              ))}
              <Route path="/settings">
                <Redirect to={`/settings/${sections[0]?.name ?? 'language'}`} replace />
              </Route>
              <Route>
                <p>
                  <Trans>There is no such setting, or it is not for your role.</Trans>
                </p>
              </Route>
            </Switch>
          </Suspense>
        </div>
      </div>
    </>
  );
}
