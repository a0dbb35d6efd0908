import type { InputHTMLAttributes, ReactNode } from 'react';
import { useId } from 'react';
import styles from './fields.module.css';

/** What each field has: a label that is always visible, and what is wrong with its value below it. */
interface FieldProps {
  readonly label: string;
  readonly error?: string | undefined;
  readonly hint?: string;
}

type InputProps = Omit<InputHTMLAttributes<HTMLInputElement>, 'value' | 'onChange' | 'className' | 'id'>;

interface TextProps extends FieldProps, InputProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** One line of text, or what `type` says. */
export function TextField({ label, error, hint, value, onChange, ...rest }: TextProps) {
  const id = useId();
  return (
    <Field id={id} label={label} error={error} hint={hint}>
      <input
        {...rest}
        id={id}
        className={styles['input']}
        dir={rest.dir ?? 'auto'}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        aria-invalid={error !== undefined}
        aria-describedby={`${id}-note`}
      />
    </Field>
  );
}

interface AreaProps extends FieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly maxLength?: number;
  readonly rows?: number;
}

export function TextAreaField({ label, error, hint, value, onChange, maxLength, rows = 3 }: AreaProps) {
  const id = useId();
  return (
    <Field id={id} label={label} error={error} hint={hint}>
      <textarea
        id={id}
        className={styles['input']}
        dir="auto"
        rows={rows}
        value={value}
        {...(maxLength !== undefined && { maxLength })}
        onChange={(event) => onChange(event.target.value)}
        aria-invalid={error !== undefined}
        aria-describedby={`${id}-note`}
      />
    </Field>
  );
}

interface SelectProps extends FieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly disabled?: boolean;
  readonly autoFocus?: boolean;
  readonly onFocus?: () => void;
  readonly onBlur?: () => void;
}

export function SelectField({ label, error, hint, onChange, options, ...rest }: SelectProps) {
  const id = useId();
  return (
    <Field id={id} label={label} error={error} hint={hint}>
      <select
        {...rest}
        id={id}
        className={styles['input']}
        onChange={(event) => onChange(event.target.value)}
        aria-invalid={error !== undefined}
        aria-describedby={`${id}-note`}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </Field>
  );
}

interface CheckProps {
  readonly label: string;
  readonly value: boolean;
  readonly onChange: (value: boolean) => void;
  readonly disabled?: boolean;
}

export function CheckField({ label, value, onChange, disabled = false }: CheckProps) {
  return (
    <label className={styles['check']}>
      <input
        type="checkbox"
        checked={value}
        disabled={disabled}
        onChange={(event) => onChange(event.target.checked)}
      />
      {label}
    </label>
  );
}

interface FrameProps {
  readonly id: string;
  readonly label: string;
  readonly error: string | undefined;
  readonly hint?: string | undefined;
  readonly children: ReactNode;
}

/** The frame of a field: its label, and what is said of it below. */
export function Field({ id, label, error, hint, children }: FrameProps) {
  return (
    <div className={styles['field']}>
      <label htmlFor={id}>{label}</label>
      {children}
      <div id={`${id}-note`} className={error === undefined ? styles['hint'] : styles['error']}>
        {error ?? hint}
      </div>
    </div>
  );
}
