import { execFileSync, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { anyFreePort } from '../../dev/engines/ports.ts';
import { listOrEmpty, textAt } from '../harness/json.ts';
import { until } from '../harness/until.ts';

/** Whether Prometheus is installed here: most machines of developers have none. */
export function hasPrometheus(): boolean {
  try {
    execFileSync('prometheus', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** A Prometheus with the alerts of the service. */
export interface WatchingPrometheus {
  /** Waits until each of these alerts has fired since the start, and resolves to those of them that did. */
  readonly hasFired: (names: readonly string[]) => Promise<readonly string[]>;
  readonly stop: () => Promise<void>;
}

/** Starts it over targets `host:port`, by their jobs. `rules` is the text of the file of alerts. */
export async function startPrometheus(
  rules: string,
  targets: Readonly<Record<string, string>>,
): Promise<WatchingPrometheus> {
  const folder = await mkdtemp(join(tmpdir(), 'prometheus-'));
  const jobs = Object.entries(targets).map(
    ([job, target]) => `  - { job_name: ${job}, static_configs: [{ targets: ['${target}'] }] }`,
  );
  const config = ['global: { scrape_interval: 1s, scrape_timeout: 900ms, evaluation_interval: 1s }'];
  config.push('rule_files: [alerts.yml]', 'scrape_configs:', ...jobs);
  await writeFile(join(folder, 'alerts.yml'), rules);
  await writeFile(join(folder, 'prometheus.yml'), config.join('\n'));
  const address = `127.0.0.1:${await anyFreePort()}`;
  const child = spawn(
    'prometheus',
    [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=${address}`,
    ],
    { stdio: 'ignore' },
  );
  const fired = new Set<string>();
  const look = async (): Promise<void> => {
    const answer = await fetch(`http://${address}/api/v1/alerts`);
    const body: unknown = await answer.json();
    for (const alert of listOrEmpty(body, 'data.alerts')) {
      if (textAt(alert, 'state') === 'firing') fired.add(textAt(alert, 'labels.alertname'));
    }
  };
  const looking = setInterval(() => void look().catch(() => undefined), 250);
  return {
    hasFired: async (names) => {
      const missing = () => names.filter((name) => !fired.has(name));
      await until(() => missing().length === 0, `these alerts have to fire: ${names.join(', ')}`);
      return names.filter((name) => fired.has(name));
    },
    stop: async () => {
      clearInterval(looking);
      child.kill('SIGKILL');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The alerts as they are, in seconds instead of minutes: what is checked is that the thing that breaks is seen. */
export async function hastyAlerts(): Promise<string> {
  const text = await readFile(join('ops', 'prometheus', 'alerts.yml'), 'utf8');
  return text
    .replace(/for: \w+/g, 'for: 0s')
    .replace(/\[\d+[mh]\]/g, '[6s]')
    .replace('age_seconds) > 60', 'age_seconds) > 2')
    .replace('age_seconds) > 900', 'age_seconds) > 1')
    .replace('"dead"}[6s])) > 10', '"dead"}[6s])) > 0')
    .replace(/> 2\.5\b/g, '> 0.5');
}
