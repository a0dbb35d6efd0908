import test from 'ava';
import { isSigned } from '../../demo/story/signature.ts';

// Made with another program: printf '%s' '{"event":"x"}' | openssl dgst -sha256 -hmac whsec_0123
const BYTES = Buffer.from('{"event":"x"}');
const SECRET = 'whsec_0123';
const HEX = '865c52b0c0b2a6067b4780d200f90d4d1d58ab4b19166ed8fb0865b1e3346b2a';

test('a signature over the raw bytes is taken, with the whole secret as key', (t) => {
  t.true(isSigned(BYTES, `sha256=${HEX}`, SECRET));
});

test('other bytes, another secret, and another form are refused', (t) => {
  t.false(isSigned(Buffer.from('{"event": "x"}'), `sha256=${HEX}`, SECRET));
  t.false(isSigned(BYTES, `sha256=${HEX}`, SECRET.replace('whsec_', '')));
  t.false(isSigned(BYTES, HEX, SECRET));
  t.false(isSigned(BYTES, `sha256=${HEX.toUpperCase()}`, SECRET));
  t.false(isSigned(BYTES, `sha256=${HEX.slice(2)}`, SECRET));
  t.false(isSigned(BYTES, undefined, SECRET));
});
