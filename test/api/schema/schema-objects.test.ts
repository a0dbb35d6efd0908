import test from 'ava';
import { anyObject, list, object, optional } from '../../../api/schema/schema-objects.ts';
import { text } from '../../../api/schema/schema-values.ts';
import { parseWith } from '../../../api/schema/validate.ts';

test('unknown keys of an object are dropped, also in objects and lists inside it', (t) => {
  const inner = object({ known: optional(text()) });
  const schema = object({ inner: optional(inner), rows: optional(list(inner, { max: 2 })) });
  const sent = { inner: { known: 'a', other: 1 }, rows: [{ known: 'b', other: 2 }], '@type': 'Thing' };
  t.deepEqual(parseWith(schema, sent), {
    kind: 'valid',
    value: { inner: { known: 'a' }, rows: [{ known: 'b' }] },
  });
});

test('an object of any keys keeps them inside one that drops its own', (t) => {
  const schema = object({ any: optional(anyObject()) });
  t.deepEqual(parseWith(schema, { any: { one: 1 }, other: 2 }), {
    kind: 'valid',
    value: { any: { one: 1 } },
  });
});
