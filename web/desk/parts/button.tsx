import type { ButtonHTMLAttributes, ReactNode } from 'react';
import styles from './button.module.css';

interface Props extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className'> {
  /** `primary`: what the screen is for; `danger`: what cannot be undone; `quiet`: in rows and bars. */
  readonly kind?: 'primary' | 'normal' | 'danger' | 'quiet';
  /** Whether what it started is under way: it stays focusable and does nothing meanwhile. */
  readonly isPending?: boolean;
  readonly children: ReactNode;
}

/** A button. Without `type` it submits nothing. */
export function Button({
  kind = 'normal',
  isPending = false,
  type = 'button',
  onClick,
  children,
  ...rest
}: Props) {
  return (
    <button
      {...rest}
      type={isPending ? 'button' : type}
      className={`${styles['button']} ${styles[kind]}`}
      aria-busy={isPending}
      aria-disabled={isPending || undefined}
      onClick={isPending ? undefined : onClick}
    >
      {children}
    </button>
  );
}

interface LinkProps {
  readonly href: string;
  readonly download?: boolean;
  readonly children: ReactNode;
}

/** A link that looks like a button: a download, or another tool. It opens no new window by itself. */
export function ButtonLink({ href, download = false, children }: LinkProps) {
  return (
    <a href={href} className={`${styles['button']} ${styles['normal']}`} {...(download && { download: '' })}>
      {children}
    </a>
  );
}
