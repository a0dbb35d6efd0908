import test from 'ava';
import {
  readTraceContext,
  restoredTrace,
  storedTrace,
  traceHeaders,
} from '../../platform/tracing/trace-context.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';
const PARENT = `00-${TRACE}-${SPAN}-01`;

test('a traceparent is taken by the rules of W3C, and passed on as version 00', (t) => {
  for (const [given, passedOn] of [
    [PARENT, PARENT],
    [`00-${TRACE}-${SPAN}-00`, `00-${TRACE}-${SPAN}-00`],
    // Flags that version 00 does not know are not passed on.
    [`00-${TRACE}-${SPAN}-ff`, `00-${TRACE}-${SPAN}-03`],
    // A later version is read as far as version 00 goes.
    [`cc-${TRACE}-${SPAN}-01-what-comes`, PARENT],
  ] as const) {
    t.is(traceHeaders(readTraceContext(given, '')).traceparent, passedOn, given);
  }
});

test('a malformed traceparent is as good as none, and so is its tracestate', (t) => {
  for (const given of [
    '',
    'x',
    `ff-${TRACE}-${SPAN}-01`,
    `00-${'0'.repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE.toUpperCase()}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}-01-more`,
    `00-${TRACE}-${SPAN}`,
    `${PARENT}, ${PARENT}`,
    `00-${TRACE}-${SPAN}-01\r\nx: y`,
  ]) {
    t.is(readTraceContext(given, 'a=1'), null, given);
    t.deepEqual(traceHeaders(readTraceContext(given, 'a=1')), {});
  }
});

test('of a tracestate the valid entries are kept that fit into 512 bytes, at most 32', (t) => {
  const stateOf = (tracestate: string) => readTraceContext(PARENT, tracestate)?.state ?? null;
  t.is(stateOf('shop=a, other@b=c d'), 'shop=a,other@b=c d');
  t.is(stateOf('UPPER=a,no-value,ok=1,\u00e9=2'), 'ok=1');
  t.is(stateOf(' , '), null);
  const long = Array.from(
    { length: 40 },
    (_, index) => `k${index}=${'v'.repeat(index % 2 === 0 ? 10 : 250)}`,
  );
  const kept = stateOf(long.join(',')) ?? '';
  t.true(kept.length > 0 && kept.length <= 512);
  t.true(kept.split(',').every((entry) => long.includes(entry)));
  t.is(stateOf(`k=${'v'.repeat(10_000)}`), null);
  t.is(
    (stateOf(Array.from({ length: 60 }, (_, index) => `k${index}=1`).join(',')) ?? '').split(',').length,
    32,
  );
});

test('a row keeps both headers, and a text that is none is as good as null', (t) => {
  for (const tracestate of ['', 'shop=a b,other=c']) {
    const context = readTraceContext(PARENT, tracestate);
    t.deepEqual(restoredTrace(storedTrace(context)), context);
  }
  t.is(storedTrace(null), null);
  for (const text of [null, '', 'x', `${PARENT}x`.slice(1)]) t.is(restoredTrace(text), null);
});
