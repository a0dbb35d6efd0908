// Writes docs/settings.md from the settings that the processes read: `npm run settings`.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { settingsByReader } from '../platform/config.ts';
import type { SettingForm } from '../platform/setting-reader.ts';
import type { SettingText } from '../platform/settings.ts';
import { SETTINGS } from '../platform/settings.ts';

const PAGE = join(import.meta.dirname, '..', 'docs', 'settings.md');

const INTRODUCTION = `# Settings

<!-- Written by \`npm run settings\` from platform/settings.ts and platform/config.ts. -->

Each setting may be given as \`NAME_FILE\`, the path of a file that holds the value. A process that starts lists every setting
that is missing or wrong, and in production what would not be safe (decision 0041). It reads only its own settings: the worker needs no \`JWT_SECRET\`. [Deployment](deployment.md) says which
of them differ in containers; \`npm start\` sets those of a laptop itself.

| Variable | Read by | Form | Default | Meaning |
| --- | --- | --- | --- | --- |
`;

/** Returns the text of docs/settings.md as it has to be. */
export async function settingsPage(): Promise<string> {
  const { API, worker } = settingsByReader();
  const readers = (name: string) => {
    const isOf = (settings: readonly SettingForm[]) => settings.some((setting) => setting.name === name);
    if (isOf(API) && isOf(worker)) return 'both';
    return isOf(API) ? 'API' : 'worker';
  };
  const forms = new Map([...API, ...worker].map((setting) => [setting.name, setting]));
  const rows = [...forms.values()].map((setting) => {
    const { meaning }: SettingText = SETTINGS[setting.name];
    return `| \`${setting.name}\` | ${readers(setting.name)} | ${setting.form} | ${fallbackOf(setting)} | ${meaning} |`;
  });
  const options = await resolveConfig(PAGE);
  return format(`${INTRODUCTION}${rows.join('\n')}\n`, { ...options, parser: 'markdown' });
}

function fallbackOf({ name, fallback, isRequired }: SettingForm): string {
  const { unset }: SettingText = SETTINGS[name];
  if (unset !== undefined) return unset;
  if (fallback !== null) return `\`${fallback}\``;
  return isRequired ? 'required' : '';
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  await writeFile(PAGE, await settingsPage());
