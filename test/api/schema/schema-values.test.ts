import test from 'ava';
import type { Schema } from '../../../api/schema/schema.ts';
import {
  choice,
  decimal,
  httpsUrl,
  integer,
  money,
  phoneNumber,
  reference,
  text,
  uuid,
} from '../../../api/schema/schema-values.ts';
import { parseWith } from '../../../api/schema/validate.ts';

const ID = '3f0c2f1e-7f55-4c3e-9c39-2a0d0f6f5a11';

const TAKEN: readonly (readonly [name: string, schema: Schema<unknown>, sent: unknown, value: unknown])[] = [
  ['text of its greatest length, counted in characters', text({ max: 2 }), '🚚🚚', '🚚🚚'],
  ['blank text where it may be', text({ min: 0 }), '', ''],
  ['a phone number without its separators', phoneNumber(), '+33 (6) 12-34.56 78', '+33612345678'],
  [
    'an address that begins with https',
    httpsUrl({ max: 40 }),
    'https://a.example/1.jpg',
    'https://a.example/1.jpg',
  ],
  ['a word of a choice', choice(['one', 'two']), 'two', 'two'],
  ['a whole number at its border', integer({ min: 1, max: 5 }), 5, 5],
  ['a number with as many decimals as it may have', decimal({ min: 0, max: 9, decimals: 2 }), 1.25, 1.25],
  ['an amount as whole cents', money(), '1250.00', 125_000],
  ['the id in an IRI', reference('driver'), `/api/v1/drivers/${ID}`, ID],
  ['a bare id where it is taken', reference('driver', { bare: true }), ID, ID],
];
for (const [name, schema, sent, value] of TAKEN) {
  test(`taken: ${name}`, (t) => {
    t.deepEqual(parseWith(schema, sent), { kind: 'valid', value });
  });
}

const REFUSED: readonly (readonly [name: string, schema: Schema<unknown>, sent: unknown, code: string])[] = [
  ['text above its greatest length', text({ max: 2 }), 'abc', 'too_long'],
  ['blank text', text(), ' \t', 'blank'],
  ['text with half of a surrogate pair', text(), 'a\uD800', 'format'],
  ['a national phone number', phoneNumber(), '0612345678', 'format'],
  ['a phone number with its zero in the wrong place', phoneNumber(), '+33 6 (0)12 34 56 78', 'format'],
  ['an address that begins with http', httpsUrl({ max: 40 }), 'http://a.example/1.jpg', 'format'],
  ['a script for an address', httpsUrl({ max: 40 }), 'javascript:alert(1)', 'format'],
  ['an address without a host', httpsUrl({ max: 40 }), 'https:///1.jpg', 'format'],
  ['a word that is not of the choice', choice(['one', 'two']), 'three', 'choice'],
  ['a fraction for a whole number', integer({ min: 1, max: 5 }), 1.5, 'type'],
  ['a whole number beyond its border', integer({ min: 1, max: 5 }), 6, 'range'],
  ['a number sent as text', integer({ min: 1, max: 5 }), '3', 'type'],
  ['a number with too many decimals', decimal({ min: 0, max: 9, decimals: 2 }), 1.255, 'format'],
  ['an amount with one decimal', money(), '1250.0', 'format'],
  ['an IRI of another kind', reference('driver'), `/api/v1/zones/${ID}`, 'reference'],
  ['a bare id where an IRI is asked for', reference('driver'), ID, 'reference'],
  ['a word for a UUID', uuid(), 'driver-1', 'format'],
];
for (const [name, schema, sent, code] of REFUSED) {
  test(`rejected: ${name}`, (t) => {
    const result = parseWith(schema, sent);
    t.deepEqual(result.kind === 'invalid' ? result.violations.map((violation) => violation.code) : result, [
      code,
    ]);
  });
}
