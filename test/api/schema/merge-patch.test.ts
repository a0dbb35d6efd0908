import test from 'ava';
import { mergePatch } from '../../../api/schema/merge-patch.ts';

/** RFC 7396, appendix A: original, patch, result. */
const APPENDIX_A: readonly (readonly [unknown, unknown, unknown])[] = [
  [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
  [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
  [{ a: 'b' }, { a: null }, {}],
  [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
  [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
  [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
  [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
  [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
  [
    ['a', 'b'],
    ['c', 'd'],
    ['c', 'd'],
  ],
  [{ a: 'b' }, ['c'], ['c']],
  [{ a: 'foo' }, null, null],
  [{ a: 'foo' }, 'bar', 'bar'],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: 'b', c: null }, { a: 'b' }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
];

for (const [original, patch, result] of APPENDIX_A) {
  test(`${JSON.stringify(original)} + ${JSON.stringify(patch)} = ${JSON.stringify(result)}`, (t) => {
    t.deepEqual(mergePatch(original, patch), result);
  });
}

test('a patch changes neither of its arguments', (t) => {
  const original = { a: { b: 1 }, c: [1] };
  const patch = { a: { b: null, d: 2 }, c: [2] };
  mergePatch(original, patch);
  t.deepEqual(original, { a: { b: 1 }, c: [1] });
  t.deepEqual(patch, { a: { b: null, d: 2 }, c: [2] });
});

test('a patch whose key is __proto__ makes an own key and changes no prototype', (t) => {
  const patch: unknown = JSON.parse('{"__proto__": {"polluted": true}}');
  const merged = mergePatch({}, patch);
  t.false('polluted' in {});
  t.is(Object.getPrototypeOf(merged), Object.prototype);
});
