import test from 'ava';
import pg from 'pg';
import { readTimestamp } from '../../store/timestamps.ts';

const driver: unknown = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ);

function byDriver(text: string): unknown {
  return typeof driver === 'function' ? Reflect.apply(driver, undefined, [text]) : undefined;
}

test('a moment is read as the driver reads it, whatever its decimals, year or offset', (t) => {
  const seconds = ['09:30:00', '09:30:00.5', '09:30:00.05', '09:30:00.999999', '23:59:59.123'];
  const days = ['2026-03-01', '1000-01-01', '9999-12-31', '0099-01-01', '10000-01-01'];
  const texts = days.flatMap((day) => seconds.map((time) => `${day} ${time}`));
  const all = [...texts.map((text) => `${text}+00`), ...texts.map((text) => `${text}+05:30`)];
  for (const text of [...all, '0044-03-15 09:30:00+00 BC'])
    t.deepEqual(readTimestamp(text), byDriver(text), text);
  t.is(readTimestamp('2026-03-01 09:30:00.123456+00').toISOString(), '2026-03-01T09:30:00.123Z');
});
