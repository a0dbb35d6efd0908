import type { AnchorHTMLAttributes, ButtonHTMLAttributes, ReactNode } from 'react';
import styles from './button.module.css';

interface Props extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className'> {
  /** `primary`: what the screen is for; `danger`: what cannot be undone; `quiet`: in rows and bars. */
  readonly kind?: 'primary' | 'normal' | 'danger' | 'quiet';
  /** Whether what it started is under way. As with `disabled` it then does nothing, and keeps the focus: keys are not lost. */
  readonly isPending?: boolean;
  readonly children: ReactNode;
}

/** A button. Without `type` it submits nothing. */
export function Button({
  kind = 'normal',
  isPending = false,
  disabled = false,
  type = 'button',
  onClick,
  children,
  ...rest
}: Props) {
  const isOff = isPending || disabled;
  return (
    <button
      {...rest}
      type={isOff ? 'button' : type}
      className={`${styles['button']} ${styles[kind]}`}
      aria-busy={isPending}
      aria-disabled={isOff || rest['aria-disabled']}
      onClick={isOff ? undefined : onClick}
    >
      {children}
    </button>
  );
}

interface LinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'className' | 'download'> {
  readonly href: string;
  readonly kind?: 'primary' | 'normal';
  readonly download?: boolean;
  readonly children: ReactNode;
}

/** A link that looks like a button: a screen, a download, or another tool. It opens no new window by itself. */
export function ButtonLink({ kind = 'normal', download = false, children, ...rest }: LinkProps) {
  return (
    <a {...rest} className={`${styles['button']} ${styles[kind]}`} {...(download && { download: '' })}>
      {children}
    </a>
  );
}
