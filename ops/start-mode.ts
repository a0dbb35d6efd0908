/** Which engines the service runs on. */
export type StartMode = 'laptop' | 'production';

/** Thrown when the settings do not allow a start; its message is for the person at the terminal. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/**
 * Decides by DATABASE_URL and TEMPORAL_ADDRESS (or their `_FILE` forms): neither is the laptop mode, which brings
 * its own engines; both is production. Throws StartError when only one is set: a laptop engine must never adopt
 * production shipments.
 */
export function chooseMode(environment: NodeJS.ProcessEnv): StartMode {
  const hasDatabase = isSet(environment, 'DATABASE_URL');
  const hasTemporal = isSet(environment, 'TEMPORAL_ADDRESS');
  if (hasDatabase && hasTemporal) return 'production';
  if (!hasDatabase && !hasTemporal) return 'laptop';
  const [present, absent] = hasDatabase
    ? ['DATABASE_URL', 'TEMPORAL_ADDRESS']
    : ['TEMPORAL_ADDRESS', 'DATABASE_URL'];
  throw new StartError(
    `${present} is set and ${absent} is not. Set both to run against servers of your own, or neither to let \`npm start\` run its own.`,
  );
}

/** Whether a setting has a value, by its name or as `NAME_FILE`. */
export function isSet(environment: NodeJS.ProcessEnv, name: string): boolean {
  return [environment[name], environment[`${name}_FILE`]].some(
    (value) => value !== undefined && value !== '',
  );
}
