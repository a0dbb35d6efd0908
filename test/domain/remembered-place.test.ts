import test from 'ava';
import { placeName } from '../../domain/remembered-place.ts';

const PHONE = '+213661234567';
const nameOf = (street: string, city = 'Alger') => placeName({ phoneNumber: PHONE, street, city });

test('streets that are written in different ways are one place, and others are not', (t) => {
  const same = [
    '12, Rue Didouche-Mourad',
    '12 rue  didouche mourad',
    '12 RUE DIDOUCHE MOURAD.',
    '12 rué Didouche Mourad',
  ];
  t.is(new Set(same.map((street) => nameOf(street))).size, 1);
  t.is(nameOf('شارعُ العربي بن مهيدي'), nameOf('شارع العربي  بن مهيدي'));
  const others = ['1 2 rue Didouche Mourad', '12 bis rue Didouche Mourad', '13 rue Didouche Mourad', ''];
  t.is(new Set([...others, same[0] ?? ''].map((street) => nameOf(street))).size, 5);
});

test('the parts of a place’s name do not run into each other', (t) => {
  t.not(nameOf('rue', 'Alger 1'), nameOf('rue Alger', '1'));
});
