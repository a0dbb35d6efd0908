import test from 'ava';
import { parsePhoneNumber } from '../../domain/phone-number.ts';

for (const [written, kept] of [
  ['+33612345678', '+33612345678'],
  ['+33 (6) 12-34.56 78', '+33612345678'],
  ['+33 (0)6 12 34 56 78', '+33612345678'],
  ['+44(0)20 7946 0958', '+442079460958'],
  ['+49 (0) 30 901820', '+4930901820'],
  ['+213.(0)661.23.45.67', '+213661234567'],
  ['+39 (06) 1234567', '+39061234567'],
  ['+33\u00a06\u202f12 34 56 78', '+33612345678'],
  ['+39 (0)6 1234567', undefined],
  ['+33 6 (0)12 34 56 78', undefined],
  ['+33 (0)(0)612345678', undefined],
  ['+12 (0)3456', undefined],
  ['+1234567', '+1234567'],
  ['+123456', undefined],
  ['+1234567890123456', undefined],
  ['0612345678', undefined],
  ['+33 6x12345678', undefined],
] as const) {
  test(`“${written}” is kept as ${kept ?? 'nothing'}`, (t) => {
    t.is(parsePhoneNumber(written), kept);
  });
}
