import { spawn } from 'node:child_process';

/** What a program that ran to its end left: its exit code (-1 after a signal) and all of its output. */
export interface ProgramResult {
  readonly exitCode: number;
  readonly output: string;
}

interface ProgramOptions {
  readonly folder?: string;
  readonly environment?: NodeJS.ProcessEnv;
  readonly user?: { readonly uid: number; readonly gid: number } | undefined;
}

/**
 * Runs a program to its end and collects what it writes. Throws only when it cannot be started at all (a missing
 * program, say); a non-zero exit code is returned, not thrown.
 */
export async function runProgram(
  command: string,
  programArguments: readonly string[],
  options: ProgramOptions = {},
): Promise<ProgramResult> {
  const child = spawn(command, [...programArguments], {
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
    ...(options.folder === undefined ? {} : { cwd: options.folder }),
    ...(options.environment === undefined ? {} : { env: options.environment }),
    ...options.user,
  });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
  const exitCode = await new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? -1));
  });
  return { exitCode, output: Buffer.concat(chunks).toString('utf8') };
}
