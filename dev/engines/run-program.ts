import { execFile, type ExecFileOptions } from 'node:child_process';

/** What a program that ran to its end left: its exit code (-1 after a signal) and all of its output. */
export interface ProgramResult {
  readonly exitCode: number;
  readonly output: string;
}

/**
 * Runs a program to its end and collects what it writes. Throws only when it cannot be started at all (a missing
 * program, say); a non-zero exit code is returned, not thrown. It ends with this process.
 */
export function runProgram(
  command: string,
  programArguments: readonly string[],
  options: Pick<ExecFileOptions, 'cwd' | 'env' | 'uid' | 'gid'> = {},
): Promise<ProgramResult> {
  return new Promise((resolve, reject) => {
    const limits = { maxBuffer: Infinity, windowsHide: true };
    const child = execFile(command, programArguments, { ...options, ...limits }, (error, stdout, stderr) => {
      process.off('exit', end);
      // The code of a program that ran is a number, that of a failed start is a word.
      const code = error === null ? 0 : (error.code ?? -1);
      if (typeof code === 'number') resolve({ exitCode: code, output: stdout + stderr });
      else reject(new Error(`${command} could not be started (${code}).`, { cause: error }));
    });
    const end = (): boolean => child.kill();
    process.once('exit', end);
  });
}
