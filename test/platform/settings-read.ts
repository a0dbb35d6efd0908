import { ConfigError } from '../../platform/setting-reader.ts';

/** The names of the settings that `load` asks the environment for, without the file forms of the others. */
export function settingsReadBy(load: (environment: NodeJS.ProcessEnv) => unknown): ReadonlySet<string> {
  const names = new Set<string>();
  const environment = new Proxy<NodeJS.ProcessEnv>(
    {},
    {
      get: (_target, name) => {
        names.add(String(name));
        return undefined;
      },
    },
  );
  try {
    load(environment);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
  }
  return new Set([...names].filter((name) => !(name.endsWith('_FILE') && names.has(name.slice(0, -5)))));
}
