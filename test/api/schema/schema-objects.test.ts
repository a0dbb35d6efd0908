import test from 'ava';
import { dateTime } from '../../../api/schema/schema-moments.ts';
import {
  anyObject,
  defaulted,
  list,
  object,
  optional,
  required,
  requiredIf,
} from '../../../api/schema/schema-objects.ts';
import { boolean, choice, email, reference, text, weight } from '../../../api/schema/schema-values.ts';
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

test('an empty text is null where it is optional, else the default, and no required text', (t) => {
  const schema = object({
    note: optional(text()),
    email: optional(email()),
    at: optional(dateTime()),
    size: defaulted(choice(['small', 'large']), 'small'),
    driver: requiredIf(reference('driver'), ['size', 'large']),
    rows: optional(list(object({ sku: optional(text()) }), { max: 2 })),
  });
  const empty = { note: '', email: '', at: '', size: '', driver: '', rows: [{ sku: '' }] };
  const value = { note: null, email: null, at: null, size: 'small', driver: null, rows: [{ sku: null }] };
  t.deepEqual(parseWith(schema, empty), { kind: 'valid', value });
  const needed = parseWith(schema, { size: 'large', driver: '' });
  t.deepEqual(needed.kind === 'invalid' ? needed.violations.map(({ code }) => code) : [], ['required']);
  t.is(parseWith(object({ name: required(text()) }), { name: '' }).kind, 'invalid');
});

test('an empty text is neither an absent number, flag or object nor an absent entry of a list', (t) => {
  const schemas = {
    flag: optional(boolean()),
    weight: optional(weight(5, '')),
    contact: optional(object({})),
  };
  for (const [name, field] of Object.entries(schemas)) {
    t.is(parseWith(object({ field }), { field: '' }).kind, 'invalid', name);
  }
  const words = object({ words: optional(list(choice(['one']), { max: 2 })) });
  t.is(parseWith(words, { words: [''] }).kind, 'invalid');
});
