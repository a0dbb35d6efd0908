import { readFileSync } from 'node:fs';

const MINIMUM_SECRET_LENGTH = 32;

/** Thrown when settings are missing or wrong; its message lists all of them, values left out. */
export class ConfigError extends Error {
  constructor(problems: readonly string[]) {
    super(`Invalid settings:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'ConfigError';
  }
}

/** Reads single settings; invalid ones are noted, and replaced by a harmless value. */
export type SettingReader = ReturnType<typeof settingReader>;

/**
 * Reads settings with `read` and returns what it makes of them. Each `NAME` may be given as `NAME_FILE`, the path of a
 * file that holds the value (container secrets). Throws a ConfigError that lists every fault.
 */
export function readSettings<Settings>(
  environment: NodeJS.ProcessEnv,
  read: (reader: SettingReader) => Settings,
): Settings {
  const problems: string[] = [];
  const settings = read(settingReader(environment, problems));
  if (problems.length > 0) throw new ConfigError(problems);
  return settings;
}

function settingReader(environment: NodeJS.ProcessEnv, problems: string[]) {
  const optional = (name: string): string | null => {
    const value = environment[name];
    if (value !== undefined && value !== '') return value;
    const file = environment[`${name}_FILE`];
    if (file === undefined || file === '') return null;
    try {
      return readFileSync(file, 'utf8').trim();
    } catch {
      problems.push(`${name}_FILE names a file that cannot be read`);
      return null;
    }
  };
  const required = (name: string): string => {
    const value = optional(name);
    if (value === null) problems.push(`${name} is missing: set it, or ${name}_FILE`);
    return value ?? '';
  };
  const longEnough = (name: string, value: string): string => {
    if (value !== '' && value.length < MINIMUM_SECRET_LENGTH) {
      problems.push(`${name} must have at least ${MINIMUM_SECRET_LENGTH} characters`);
    }
    return value;
  };
  const optionalInteger = (name: string, minimum: number, maximum: number): number | null => {
    const text = optional(name);
    if (text === null) return null;
    const value = Number(text);
    if (Number.isInteger(value) && value >= minimum && value <= maximum) return value;
    problems.push(`${name} must be a whole number from ${minimum} to ${maximum}`);
    return null;
  };
  return {
    optional,
    required,
    optionalInteger,
    /** Notes what is wrong with several settings together. */
    report: (problem: string): void => {
      problems.push(problem);
    },
    integer: (name: string, fallback: number, minimum: number, maximum: number): number =>
      optionalInteger(name, minimum, maximum) ?? fallback,
    secret: (name: string): string => longEnough(name, required(name)),
    optionalSecret: (name: string): string | null => {
      const value = optional(name);
      return value === null ? null : longEnough(name, value);
    },
    /** A text of a form, which `rule` describes. */
    matching: (name: string, form: RegExp, rule: string): string | null => {
      const text = optional(name);
      if (text === null || form.test(text)) return text;
      problems.push(`${name} must be ${rule}`);
      return null;
    },
    flag: (name: string, fallback: boolean): boolean => {
      const text = optional(name);
      if (text === null) return fallback;
      if (['1', 'true', 'yes'].includes(text)) return true;
      if (['0', 'false', 'no'].includes(text)) return false;
      problems.push(`${name} must be 1 or 0`);
      return fallback;
    },
    choice: <Word extends string>(name: string, words: readonly Word[], fallback: Word): Word => {
      const text = optional(name) ?? fallback;
      const word = words.find((candidate) => candidate === text);
      if (word === undefined) problems.push(`${name} must be one of: ${words.join(', ')}`);
      return word ?? fallback;
    },
  };
}
