import test from 'ava';
import { newRecoveryCodes, recoveryCodeHash } from '../../../api/auth/recovery-codes.ts';
import { base32, newTotpSecret, totpAt, totpStepOf, totpUri } from '../../../api/auth/totp.ts';

const RFC_SECRET = base32(Buffer.from('12345678901234567890'));

/** RFC 6238, appendix B, for SHA-1: the last six of its eight digits. */
const RFC_6238 = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
] as const;
/** RFC 4226, appendix D: the codes of the counters 0 to 9. */
const RFC_4226 = '755224 287082 359152 969429 338314 254676 287922 162583 399871 520489'.split(' ');
/** RFC 4648, section 10, without padding. */
const RFC_4648 = {
  f: 'MY',
  fo: 'MZXQ',
  foo: 'MZXW6',
  foob: 'MZXW6YQ',
  fooba: 'MZXW6YTB',
  foobar: 'MZXW6YTBOI',
};

test('codes are those of RFC 6238 and RFC 4226, base32 that of RFC 4648', (t) => {
  for (const [seconds, code] of RFC_6238) t.is(totpAt(RFC_SECRET, new Date(seconds * 1_000)), code);
  for (const [step, code] of RFC_4226.entries()) {
    t.is(totpAt(RFC_SECRET, new Date(step * 30_000)), code);
  }
  for (const [text, encoded] of Object.entries(RFC_4648)) t.is(base32(Buffer.from(text)), encoded);
});

test('a code is known one step before and after its own, and no further', (t) => {
  const own = new Date(1_234_567_890_000);
  const step = Math.floor(own.getTime() / 30_000);
  const found = [-2, -1, 0, 1, 2].map((steps) =>
    totpStepOf(RFC_SECRET, '005924', new Date(own.getTime() + steps * 30_000)),
  );
  t.deepEqual(found, [undefined, step, step, step, undefined]);
  for (const text of ['', '05924', '0059240', 'abcdef', '005925']) {
    t.is(totpStepOf(RFC_SECRET, text, own), undefined, text);
  }
});

test('a secret has 160 random bits, and its address names the account and the service', (t) => {
  const secret = newTotpSecret();
  t.regex(secret, /^[A-Z2-7]{32}$/);
  t.not(newTotpSecret(), secret);
  t.is(
    totpUri('ABC', 'amina+desk@example.com', 'Desk'),
    'otpauth://totp/Desk:amina%2Bdesk%40example.com?secret=ABC&issuer=Desk',
  );
});

test('ten recovery codes are different, and are known however they are typed', (t) => {
  const codes = newRecoveryCodes();
  t.is(new Set(codes).size, 10);
  for (const code of codes) t.regex(code, /^(?:[0-9a-hjkmnp-tv-z]{4}-){5}[0-9a-hjkmnp-tv-z]{4}$/);
  const known = recoveryCodeHash('0123-4567-89ab-cdef-ghjk-mnpq');
  t.truthy(known);
  for (const typed of ['oi23456789ABCDEFGHJKMNPQ', ' Ol23 4567 89ab cdef ghjk mnpq ']) {
    t.deepEqual(recoveryCodeHash(typed), known, typed);
  }
  t.is(recoveryCodeHash('123456'), undefined);
});
