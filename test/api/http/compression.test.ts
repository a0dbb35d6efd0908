import { Transform } from 'node:stream';
import test from 'ava';
import { growingBody } from '../../../api/http/compression.ts';

test('a body whose compression fails between two parts rejects, and does not wait for ever', async (t) => {
  const encoder = new Transform({
    transform() {
      // As zlib does: the write that failed is never called back.
      this.destroy(new Error('out of memory'));
    },
  });
  const body = growingBody(encoder, {});
  const addBoth = async () => {
    await body.add(Buffer.from('one'));
    await body.add(Buffer.from('two'));
  };
  await t.throwsAsync(addBoth(), { message: 'out of memory' });
  await t.throwsAsync(body.end(), { message: 'out of memory' });
});
