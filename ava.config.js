import { COMPILED_FOLDER, compileTests } from './dev/test/compile-tests.mjs';

/** One process per test file: Temporal's native module and its Runtime are per process, never per thread. */
export default async function configure({ projectDir }) {
  await compileTests();
  return {
    // What needs a program that is not a package is asked for by name.
    files: [
      'test/**/*.test.ts',
      ...(process.env['CHECK_ALERTS'] === '1' ? [] : ['!test/ops/alerts-fire.test.ts']),
    ],
    extensions: { ts: 'commonjs' },
    require: [['./dev/test/load-compiled.cjs', projectDir, COMPILED_FOLDER]],
    nodeArguments: ['--enable-source-maps'],
    workerThreads: false,
    timeout: '3m',
  };
}
