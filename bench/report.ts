import { arch, cpus, platform, release, totalmem } from 'node:os';
import { readFileSync } from 'node:fs';
import { Connection } from '@temporalio/client';
import { textAt } from '../test/harness/json.ts';
import type { BenchDeployment } from './deployment.ts';
import { column, judge, median } from './rounds.ts';
import type { Aim, Figure, Numbers } from './rounds.ts';
import { rowsOf } from './rows.ts';

const BYTES_PER_GIB = 2 ** 30;

/** Tells on what the figures were made: versions, cores and settings, a line each. */
export async function describeMachine(deployment: BenchDeployment): Promise<string[]> {
  const processors = cpus();
  const [postgres] = await rowsOf<{ readonly line: string }>(
    deployment,
    `select current_setting('server_version') || ', ' || string_agg(name || '=' || setting || coalesce(unit, ''), ' ' order by name) as line
     from pg_settings where name in ('fsync', 'synchronous_commit', 'full_page_writes', 'shared_buffers', 'max_connections')`,
    [],
  );
  return [
    `node ${process.version}, ${platform()} ${arch()} ${release()}`,
    `${processors.length} cores (${processors[0]?.model.trim() ?? 'unknown'}), ${(totalmem() / BYTES_PER_GIB).toFixed(0)} GiB`,
    `postgres ${postgres?.line ?? 'unknown'}`,
    `temporal server ${await temporalVersion(deployment)}, database in a file, sdk ${sdkVersion()}`,
    'engines, API, worker and clients share the machine; one API process, one worker process',
  ];
}

/** A figure as lines: the verdict, the rounds of its numbers, why it is void. `faults` make every figure void. */
export function describeFigure(
  figure: Figure,
  rounds: readonly Numbers[],
  faults: readonly string[],
): readonly string[] {
  const judgement = judge(figure, rounds);
  const voidBecause = [...judgement.voidBecause, ...faults];
  const { of, through, unit, also = [] } = figure;
  const found = (name: string): string => {
    const values = column(rounds, name);
    return `${name}: ${show(median(values))} ${unit} (rounds ${values.map(show).join(' ')})`;
  };
  const { lowest, highest } = judgement;
  const ratio = `${of}: ${judgement.median.toFixed(2)} times (${lowest.toFixed(2)} … ${highest.toFixed(2)})`;
  const verdict = voidBecause.length > 0 ? 'VOID' : verdictOf(figure.aim, judgement.median);
  return [
    `${through === undefined ? found(of) : ratio}, ${verdict}`,
    ...[...(through === undefined ? [] : [of, through]), ...also].map((name) => `    ${found(name)}`),
    ...voidBecause.map((reason) => `    void: ${reason}`),
  ];
}

function verdictOf(aim: Aim | undefined, middle: number): string {
  if (aim === undefined) return 'no aim';
  if ('atLeast' in aim) return `aim at least ${aim.atLeast}: ${middle >= aim.atLeast ? 'met' : 'NOT MET'}`;
  return `aim at most ${aim.atMost}: ${middle <= aim.atMost ? 'met' : 'NOT MET'}`;
}

/** Enough digits to compare, no more. */
export function show(figure: number): string {
  return figure >= 100 ? figure.toFixed(0) : figure.toFixed(figure >= 10 ? 1 : 2);
}

async function temporalVersion({ temporalAddress }: BenchDeployment): Promise<string> {
  const connection = await Connection.connect({ address: temporalAddress });
  try {
    const { serverVersion } = await connection.workflowService.getSystemInfo({});
    return serverVersion;
  } finally {
    await connection.close();
  }
}

function sdkVersion(): string {
  const file = new URL('../node_modules/@temporalio/client/package.json', import.meta.url);
  return textAt(JSON.parse(readFileSync(file, 'utf8')), 'version');
}
