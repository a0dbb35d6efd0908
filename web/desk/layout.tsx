import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode, RefObject } from 'react';
import { useEffect, useRef } from 'react';
import { Link, useLocation } from 'wouter';
import { AccountMenu } from './account-menu.tsx';
import { focusScreen, SCREEN_ID } from './parts/focus.ts';
import { PaletteButton } from './palette/palette-button.tsx';
import type { ScreenDefinition } from './screens.ts';
import { Strips } from './strips.tsx';
import styles from './layout.module.css';

interface Props {
  readonly screens: readonly ScreenDefinition[];
  readonly children: ReactNode;
}

/** Navigation, who is signed in, and what the person must know of the connection; the screen below. */
export function Layout({ screens, children }: Props) {
  const { t, i18n } = useLingui();
  const [path] = useLocation();
  const current = screens.find((screen) => path === screen.path || path.startsWith(`${screen.path}/`));
  const title = current === undefined ? 'Desk' : `${i18n._(current.title)} · Desk`;
  useEffect(() => {
    document.title = title;
  }, [title]);
  const screen = useNewScreen(path);
  return (
    <div className={styles['layout']}>
      <a className={styles['skip']} href={`#${SCREEN_ID}`}>
        <Trans>Skip to the screen</Trans>
      </a>
      <header className={styles['bar']}>
        <nav aria-label={t`Screens`} className={styles['nav']}>
          {screens.map((screen) => (
            <Link
              key={screen.path}
              href={screen.path}
              aria-current={screen === current ? 'page' : undefined}
              className={styles['link']}
            >
              {i18n._(screen.title)}
            </Link>
          ))}
        </nav>
        <div className={styles['tools']}>
          <PaletteButton screens={screens} />
          <AccountMenu />
        </div>
      </header>
      <Strips />
      <main ref={screen} id={SCREEN_ID} className={styles['screen']} tabIndex={-1}>
        {children}
      </main>
    </div>
  );
}

/** Begins each screen at its top, with the focus in it where that was on the screen before. */
function useNewScreen(path: string): RefObject<HTMLElement | null> {
  const screen = useRef<HTMLElement>(null);
  const shown = useRef(path);
  useEffect(() => {
    if (shown.current === path) return undefined;
    shown.current = path;
    screen.current?.scrollTo(0, 0);
    // Its code may have to be loaded, and its first field may take the focus.
    const timer = setTimeout(focusScreen);
    return () => clearTimeout(timer);
  }, [path]);
  return screen;
}
