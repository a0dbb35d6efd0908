import type { ReactNode } from 'react';
import styles from './switch.module.css';

interface Props {
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
  readonly isPending?: boolean;
  /** Names what is switched, where the visible text alone does not. */
  readonly label: string;
  readonly children: ReactNode;
}

/** Something that is on or off, and is changed immediately. */
export function Switch({ isOn, onChange, isPending = false, label, children }: Props) {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={isOn}
      aria-label={label}
      aria-disabled={isPending || undefined}
      className={styles['switch']}
      onClick={() => {
        if (!isPending) onChange(!isOn);
      }}
    >
      <span className={styles['track']} aria-hidden="true">
        <span className={styles['knob']} />
      </span>
      <span>{children}</span>
    </button>
  );
}
