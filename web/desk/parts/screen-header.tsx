import type { ReactNode } from 'react';
import styles from './screen-header.module.css';

interface Props {
  readonly title: ReactNode;
  /** Buttons and filters of the screen. */
  readonly children?: ReactNode;
}

/** The name of a screen and what it offers. */
export function ScreenHeader({ title, children }: Props) {
  return (
    <div className={styles['header']}>
      <h1>{title}</h1>
      <div className={styles['tools']}>{children}</div>
    </div>
  );
}
