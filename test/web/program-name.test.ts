import test from 'ava';
import { programName } from '../../web/shared/program-name.ts';

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const KNOWN = [
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0`,
    'Edge, Windows',
  ],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/140.0.0.0 Safari/537.36`, 'Chrome, Windows'],
  [`Mozilla/5.0 (Linux; Android 15; K) ${WEBKIT} Chrome/140.0.0.0 Mobile Safari/537.36`, 'Chrome, Android'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0', 'Firefox, Linux'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1',
    'Safari, iPhone',
  ],
  ['okhttp/5.1.0', 'okhttp/5.1.0'],
  ['x'.repeat(200), 'x'.repeat(60)],
  [undefined, ''],
] as const;

test('a program is named as people know it, an unknown one as it names itself', (t) => {
  for (const [userAgent, name] of KNOWN) t.is(programName(userAgent), name);
});
