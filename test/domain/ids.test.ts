import test from 'ava';
import { parseId, toId } from '../../domain/ids.ts';

const UUID = '0f8fad5b-d9cb-469f-a165-70867728950e';

test('a UUID is read in either letter case and kept in lower case', (t) => {
  t.is(parseId<'shipment'>(UUID), toId<'shipment'>(UUID));
  t.is(parseId<'shipment'>(UUID.toUpperCase()), toId<'shipment'>(UUID));
});

for (const text of [
  '',
  'shipment',
  UUID.slice(1),
  `${UUID}0`,
  ` ${UUID}`,
  `${UUID}\n`,
  `{${UUID}}`,
  `urn:uuid:${UUID}`,
  UUID.replaceAll('-', ''),
  UUID.replace('0', 'g'),
  `${UUID}' or 1=1`,
]) {
  test(`${JSON.stringify(text)} is not an id`, (t) => {
    t.is(parseId(text), undefined);
    t.throws(() => toId(text), { message: /not a UUID/ });
  });
}
