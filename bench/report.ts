import { arch, cpus, platform, release, totalmem } from 'node:os';
import { readFileSync } from 'node:fs';
import { Connection } from '@temporalio/client';
import type { Aim, Measurement, Result } from './case.ts';
import type { Deployment } from './deployment.ts';
import { median } from './rounds.ts';

const BYTES_PER_GIB = 2 ** 30;

/** Tells on what the figures were made: versions, cores and settings, a line each. */
export async function describeMachine(deployment: Deployment): Promise<string[]> {
  const processors = cpus();
  return [
    `node ${process.version}, ${platform()} ${arch()} ${release()}`,
    `${processors.length} cores (${processors[0]?.model.trim() ?? 'unknown'}), ${(totalmem() / BYTES_PER_GIB).toFixed(0)} GiB`,
    await describePostgres(deployment),
    `temporal server ${await temporalVersion(deployment)}, database in a file, sdk ${sdkVersion()}`,
    'engines, API, worker and clients share the machine; one API process, one worker process',
  ];
}

/** A result as lines: the verdict, the rounds of each side, the remarks. */
export function describeResult(result: Result | Measurement): string[] {
  return [
    ...('medianRatio' in result ? comparisonLines(result) : measurementLines(result)),
    ...(result.remarks ?? []).map((remark) => `    ${remark}`),
    ...result.voidBecause.map((reason) => `    void: ${reason}`),
  ];
}

function comparisonLines(result: Result): string[] {
  const { figure, unit, medianRatio, lowestRatio, highestRatio } = result;
  const spread = `${lowestRatio.toFixed(2)} … ${highestRatio.toFixed(2)}`;
  return [
    `${figure}: ${medianRatio.toFixed(2)} times bare (${spread}), ${verdict(result, medianRatio)}`,
    `    ${sideLine(result.oursName, result.ours, unit)}`,
    `    ${sideLine(result.bareName, result.bare, unit)}`,
  ];
}

function measurementLines(result: Measurement): string[] {
  const { figure, unit, rounds } = result;
  const middle = median(rounds);
  return [
    `${figure}: ${show(middle)} ${unit} (rounds ${rounds.map(show).join(' ')}), ${verdict(result, middle)}`,
  ];
}

function verdict(
  { aim, voidBecause }: { readonly aim: Aim | null; readonly voidBecause: readonly string[] },
  middle: number,
): string {
  if (voidBecause.length > 0) return 'VOID';
  if (aim === null) return 'no aim';
  if ('atLeast' in aim) {
    return `aim at least ${aim.atLeast}: ${middle >= aim.atLeast ? 'met' : 'NOT MET'}`;
  }
  return `aim at most ${aim.atMost}: ${middle <= aim.atMost ? 'met' : 'NOT MET'}`;
}

function sideLine(name: string, figures: readonly number[], unit: string): string {
  return `${name}: median ${show(median(figures))} ${unit} (rounds ${figures.map(show).join(' ')})`;
}

/** Enough digits to compare, no more. */
export function show(figure: number): string {
  return figure >= 100 ? figure.toFixed(0) : figure.toFixed(figure >= 10 ? 1 : 2);
}

async function describePostgres({ pool }: Deployment): Promise<string> {
  const { rows } = await pool.query<{ line: string }>(
    `select 'postgres ' || current_setting('server_version') || ', ' || string_agg(name || '=' || setting || coalesce(unit, ''), ' ' order by name) as line
     from pg_settings where name in ('fsync', 'synchronous_commit', 'full_page_writes', 'shared_buffers', 'max_connections')`,
  );
  return rows[0]?.line ?? 'postgres';
}

async function temporalVersion({ temporalAddress }: Deployment): Promise<string> {
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
  const text: unknown = JSON.parse(readFileSync(file, 'utf8'));
  const hasVersion = typeof text === 'object' && text !== null && 'version' in text;
  return hasVersion && typeof text.version === 'string' ? text.version : 'unknown';
}
