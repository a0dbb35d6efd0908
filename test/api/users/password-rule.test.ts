import test from 'ava';
import { isCommonPassword } from '../../../api/users/password-rule.ts';

test('passwords that are tried first are known in any form that people make of them', (t) => {
  for (const password of [
    'password1234',
    'Password!2026',
    'azertyazerty',
    'qwertyuiopqwertyuiop',
    'aaaaaaaaaaaaaa',
    'passwordpassword1',
    'iloveyou-2026',
    'SUPERMAN123456',
    '000000000000',
  ]) {
    t.true(isCommonPassword(password), password);
  }
});

test('passwords that nobody tries first are taken, whatever characters they have', (t) => {
  for (const password of [
    'correct horse battery staple',
    'ten characters',
    'Rue de Rivoli 17 bis',
    'شاحنة زرقاء كبيرة',
    'kX9v2mQ7rT4w',
    '493027156820',
  ]) {
    t.false(isCommonPassword(password), password);
  }
});
