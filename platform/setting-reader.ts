import { readFileSync } from 'node:fs';
import type { SettingName } from './settings.ts';

const MINIMUM_SECRET_LENGTH = 32;
const SECRET_FORM = `at least ${MINIMUM_SECRET_LENGTH} characters`;

/** Thrown when settings are missing or wrong; its message lists all of them, values left out. */
export class ConfigError extends Error {
  constructor(problems: readonly string[]) {
    super(`Invalid settings:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'ConfigError';
  }
}

/**
 * Reads settings with `read` and returns what it makes of them. Each `NAME` may be given as `NAME_FILE`, the path of a
 * file that holds the value (container secrets). Throws a ConfigError that lists every fault.
 */
export function readSettings<Settings>(
  environment: NodeJS.ProcessEnv,
  read: (reader: SettingReader) => Settings,
): Settings {
  const problems: string[] = [];
  const settings = read(new SettingReader(environment, problems));
  if (problems.length > 0) throw new ConfigError(problems);
  return settings;
}

/** A setting as it is read: in which form, and what stands for an absent one. */
export interface SettingForm {
  readonly name: SettingName;
  readonly form: string;
  /** Null where there is no default value. */
  readonly fallback: string | null;
  readonly isRequired: boolean;
}

/** Returns the settings that `read` reads, in its order, by an environment without any. */
export function settingsOf(read: (reader: SettingReader) => unknown): readonly SettingForm[] {
  const forms = new Map<SettingName, SettingForm>();
  read(
    new SettingReader({}, [], (form) => {
      if (!forms.has(form.name)) forms.set(form.name, form);
    }),
  );
  return [...forms.values()];
}

/** Reads single settings; invalid ones are noted, and replaced by a harmless value. */
export class SettingReader {
  readonly #environment: NodeJS.ProcessEnv;
  readonly #problems: string[];
  readonly #observe: (form: SettingForm) => void;

  /** Notes what is wrong in `problems`, and tells `observe` which settings are read. */
  constructor(
    environment: NodeJS.ProcessEnv,
    problems: string[],
    observe: (form: SettingForm) => void = () => undefined,
  ) {
    this.#environment = environment;
    this.#problems = problems;
    this.#observe = observe;
  }

  /** Notes what is wrong with several settings together. */
  report(problem: string): void {
    this.#problems.push(problem);
  }

  /** A text, null without one. `form` describes what the caller will take. */
  optional(name: SettingName, form = 'text'): string | null {
    return this.#read(name, form);
  }

  /** A text, or the default. */
  text(name: SettingName, fallback: string, form = 'text'): string {
    return this.#read(name, form, fallback) ?? fallback;
  }

  required(name: SettingName): string {
    return this.#required(name, 'text');
  }

  secret(name: SettingName): string {
    return this.#longEnough(name, this.#required(name, SECRET_FORM));
  }

  optionalSecret(name: SettingName): string | null {
    const value = this.#read(name, SECRET_FORM);
    return value === null ? null : this.#longEnough(name, value);
  }

  /** A text of a form, which `rule` describes. */
  matching(name: SettingName, form: RegExp, rule: string): string | null {
    const text = this.#read(name, rule);
    return text === null || this.#matches(name, text, form, rule) ? text : null;
  }

  /** A text of a form, or the default. */
  matchingText(name: SettingName, form: RegExp, rule: string, fallback: string): string {
    const text = this.#read(name, rule, fallback);
    return text !== null && this.#matches(name, text, form, rule) ? text : fallback;
  }

  integer(name: SettingName, fallback: number, minimum: number, maximum: number): number {
    return this.#integer(name, minimum, maximum, fallback) ?? fallback;
  }

  optionalInteger(name: SettingName, minimum: number, maximum: number): number | null {
    return this.#integer(name, minimum, maximum, null);
  }

  flag(name: SettingName, fallback: boolean): boolean {
    const text = this.#read(name, '`1` or `0`', fallback ? '1' : '0');
    if (text === null) return fallback;
    if (['1', 'true', 'yes'].includes(text)) return true;
    if (['0', 'false', 'no'].includes(text)) return false;
    this.report(`${name} must be 1 or 0`);
    return fallback;
  }

  choice<Word extends string>(name: SettingName, words: readonly Word[], fallback: Word): Word {
    const text = this.#read(name, words.map((word) => `\`${word}\``).join(', '), fallback) ?? fallback;
    const word = words.find((candidate) => candidate === text);
    if (word === undefined) this.report(`${name} must be one of: ${words.join(', ')}`);
    return word ?? fallback;
  }

  #integer(name: SettingName, minimum: number, maximum: number, fallback: number | null): number | null {
    const range = `${minimum} to ${maximum}`;
    const text = this.#read(name, range, fallback === null ? null : String(fallback));
    if (text === null) return null;
    const value = Number(text);
    if (Number.isInteger(value) && value >= minimum && value <= maximum) return value;
    this.report(`${name} must be a whole number from ${range}`);
    return null;
  }

  #required(name: SettingName, form: string): string {
    const value = this.#read(name, form, null, true);
    if (value === null) this.report(`${name} is missing: set it, or ${name}_FILE`);
    return value ?? '';
  }

  #read(name: SettingName, form: string, fallback: string | null = null, isRequired = false): string | null {
    this.#observe({ name, form, fallback, isRequired });
    const value = this.#environment[name];
    if (value !== undefined && value !== '') return value;
    const file = this.#environment[`${name}_FILE`];
    if (file === undefined || file === '') return null;
    try {
      return readFileSync(file, 'utf8').trim();
    } catch {
      this.report(`${name}_FILE names a file that cannot be read`);
      return null;
    }
  }

  #matches(name: SettingName, text: string, form: RegExp, rule: string): boolean {
    const matches = form.test(text);
    if (!matches) this.report(`${name} must be ${rule}`);
    return matches;
  }

  #longEnough(name: SettingName, value: string): string {
    if (value !== '' && value.length < MINIMUM_SECRET_LENGTH) {
      this.report(`${name} must have at least ${MINIMUM_SECRET_LENGTH} characters`);
    }
    return value;
  }
}
