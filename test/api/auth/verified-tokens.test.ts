import { randomUUID } from 'node:crypto';
import test from 'ava';
import { rememberVerifiedTokens } from '../../../api/auth/verified-tokens.ts';
import { toId } from '../../../domain/ids.ts';

function claimsUntil(expiresAtSeconds: number) {
  return {
    userId: toId<'user'>(randomUUID()),
    sessionId: toId<'session'>(randomUUID()),
    expiresAtSeconds,
  };
}

test('a kept token is known until the second it expires, and never again', (t) => {
  const now = { ms: 99_999 };
  const tokens = rememberVerifiedTokens(10, () => new Date(now.ms));
  const claims = claimsUntil(100);
  t.is(tokens.find('a'), undefined);
  tokens.keep('a', claims);
  t.is(tokens.find('a'), claims);
  t.is(tokens.find('A'), undefined);
  now.ms = 100_000;
  t.is(tokens.find('a'), undefined);
  now.ms = 0;
  t.is(tokens.find('a'), undefined);
});

test('no more than the limit are kept; the longest known makes room', (t) => {
  const tokens = rememberVerifiedTokens(2, () => new Date(0));
  for (const token of ['a', 'b', 'c']) tokens.keep(token, claimsUntil(100));
  t.is(tokens.find('a'), undefined);
  t.not(tokens.find('b'), undefined);
  t.not(tokens.find('c'), undefined);
});
