import { readFileSync } from 'node:fs';
import test from 'ava';
import { SERVICE_NODE_OPTIONS } from '../../scripts/service-node-options.ts';

test('the image runs Node with the options that a laptop and the bench run it with', (t) => {
  const entrypoint = readFileSync(new URL('../../docker/entrypoint.sh', import.meta.url), 'utf8');
  t.true(entrypoint.includes(`--enable-source-maps ${SERVICE_NODE_OPTIONS.join(' ')} "$build/$1.js"`));
});
