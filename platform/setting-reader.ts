import { readFileSync } from 'node:fs';

const MINIMUM_SECRET_LENGTH = 32;

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

/** Reads single settings; invalid ones are noted, and replaced by a harmless value. */
export class SettingReader {
  readonly #environment: NodeJS.ProcessEnv;
  readonly #problems: string[];

  /** Notes what is wrong in `problems`. */
  constructor(environment: NodeJS.ProcessEnv, problems: string[]) {
    this.#environment = environment;
    this.#problems = problems;
  }

  /** Notes what is wrong with several settings together. */
  report(problem: string): void {
    this.#problems.push(problem);
  }

  optional(name: string): string | null {
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

  required(name: string): string {
    const value = this.optional(name);
    if (value === null) this.report(`${name} is missing: set it, or ${name}_FILE`);
    return value ?? '';
  }

  secret(name: string): string {
    return this.#longEnough(name, this.required(name));
  }

  optionalSecret(name: string): string | null {
    const value = this.optional(name);
    return value === null ? null : this.#longEnough(name, value);
  }

  /** A text of a form, which `rule` describes. */
  matching(name: string, form: RegExp, rule: string): string | null {
    const text = this.optional(name);
    if (text === null || form.test(text)) return text;
    this.report(`${name} must be ${rule}`);
    return null;
  }

  integer(name: string, fallback: number, minimum: number, maximum: number): number {
    return this.optionalInteger(name, minimum, maximum) ?? fallback;
  }

  optionalInteger(name: string, minimum: number, maximum: number): number | null {
    const text = this.optional(name);
    if (text === null) return null;
    const value = Number(text);
    if (Number.isInteger(value) && value >= minimum && value <= maximum) return value;
    this.report(`${name} must be a whole number from ${minimum} to ${maximum}`);
    return null;
  }

  flag(name: string, fallback: boolean): boolean {
    const text = this.optional(name);
    if (text === null) return fallback;
    if (['1', 'true', 'yes'].includes(text)) return true;
    if (['0', 'false', 'no'].includes(text)) return false;
    this.report(`${name} must be 1 or 0`);
    return fallback;
  }

  choice<Word extends string>(name: string, words: readonly Word[], fallback: Word): Word {
    const text = this.optional(name) ?? fallback;
    const word = words.find((candidate) => candidate === text);
    if (word === undefined) this.report(`${name} must be one of: ${words.join(', ')}`);
    return word ?? fallback;
  }

  #longEnough(name: string, value: string): string {
    if (value !== '' && value.length < MINIMUM_SECRET_LENGTH) {
      this.report(`${name} must have at least ${MINIMUM_SECRET_LENGTH} characters`);
    }
    return value;
  }
}
