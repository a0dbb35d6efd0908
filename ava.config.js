import { COMPILED_FOLDER, compileTests } from './dev/test/compile-tests.mjs';

/** One process per test file: Temporal's native module and its Runtime are per process, never per thread. */
export default async function configure({ projectDir }) {
  await compileTests();
  return {
    files: ['test/**/*.test.ts'],
    extensions: { ts: 'commonjs' },
    require: [['./dev/test/load-compiled.cjs', projectDir, COMPILED_FOLDER]],
    nodeArguments: ['--enable-source-maps'],
    workerThreads: false,
    timeout: '3m',
  };
}
