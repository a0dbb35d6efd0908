import test from 'ava';

import { FontSet } from '../../documents/font-set.ts';
import { createTypesetter } from '../../documents/text-layout.ts';
import type { TextBlock, TextStyle } from '../../documents/text-layout.ts';

const STYLE: TextStyle = { face: 'regular', sizePt: 10, leadingPt: 12 };

/** The letters of each line in the order in which the eye meets them from left to right. */
const asSeen = (block: TextBlock) =>
  block.lines.map((line) => line.runs.map((run) => run.visualText).join(''));

/** With the fonts for Arabic, and for these texts. */
const openTypesetter = async (...texts: readonly string[]) =>
  createTypesetter(await FontSet.open(['ابجد', ...texts]));

test('a mixed line is ordered as the Unicode bidirectional algorithm has it', async (t) => {
  const { line } = await openTypesetter();
  const seen = (text: string) => asSeen(line(text, STYLE)).join('|');
  t.is(seen('Rue ابجد 12'), 'Rue 12 دجبا');
  t.is(seen('ابجد 12 Rue'), 'Rue 12 دجبا');
  t.is(
    seen('ابجد (هوز)'),
    ')زوه( دجبا'.replace(/[()]/gu, (bracket) => (bracket === '(' ? ')' : '(')),
  );
  t.is(seen('Persian ۱۲ digits'), 'Persian ۱۲ digits');
});

test('a phone number inside right-to-left text keeps the order of its digits', async (t) => {
  const { line } = await openTypesetter();
  t.deepEqual(asSeen(line('ابجد 0555 12 34 56 هوز', STYLE)), ['زوه 0555 12 34 56 دجبا']);
  t.deepEqual(asSeen(line('ابجد +213 555 12 34 56', STYLE)), ['+213 555 12 34 56 دجبا']);
});

test('an address line can be held left to right, so that a postal code stays on the left', async (t) => {
  const { line } = await openTypesetter();
  const block = line('16000 ابجد', STYLE, { widthPt: Infinity, direction: 'ltr' });
  t.deepEqual(asSeen(block), ['16000 دجبا']);
});

test('a long text is broken at spaces and no letter is lost', async (t) => {
  const { line } = await openTypesetter();
  const text = 'Boulevard du Commandant Mohamed Touileb, bâtiment 4, escalier B, porte 12';
  const block = line(text, STYLE, { widthPt: 120 });
  t.true(block.lines.length > 2);
  t.true(block.lines.every((each) => each.widthPt <= 120.01));
  t.is(asSeen(block).join(' '), text);
});

test('a word wider than the line is broken where the line is full, and no letter is lost', async (t) => {
  const { line } = await openTypesetter();
  const block = line(`Ref ${'M'.repeat(255)} end`, STYLE, { widthPt: 120 });
  t.true(block.lines.every((each) => each.widthPt <= 120.01));
  t.is(asSeen(block).join('').replaceAll(' ', ''), `Ref${'M'.repeat(255)}end`);
});

test('each line of a right-to-left text is ordered by itself', async (t) => {
  const { line } = await openTypesetter();
  const words = ['ابجد', 'هوز', 'حطي', 'كلمن', 'سعفص', 'قرشت'];
  const block = line(words.join(' '), STYLE, { widthPt: 60 });
  t.true(block.lines.length > 1);
  const read = asSeen(block).map((seen) => Array.from(seen).reverse().join(''));
  t.is(read.join(' '), words.join(' '));
});

test('a text that needs more lines than allowed ends with an ellipsis', async (t) => {
  const { line } = await openTypesetter();
  const block = line('mot '.repeat(100), STYLE, { widthPt: 120, maxLines: 2 });
  t.is(block.lines.length, 2);
  t.regex(asSeen(block).at(-1) ?? '', /mot m?…$/u);
});

test('letters of a script without a font show as one replacement character, never as nothing', async (t) => {
  const { line } = await openTypesetter('தமிழ்');
  t.deepEqual(asSeen(line('Li தமிழ் Ming', STYLE)), ['Li \ufffd Ming']);
});

test('emoji and ornaments are left out with one of their spaces, and never shown as �', async (t) => {
  const texts = [
    ['👩‍👩‍👧 A', 'A'],
    ['A 👍🏽 B', 'A B'],
    ['A 🇫🇷', 'A'],
    ['1️⃣ rue', '1 rue'],
    ['A \u{e000} B', 'A B'],
    ['half \ud83d pair', 'half pair'],
    ['𝓐𝗺é', 'Amé'],
  ] as const;
  const { line } = await openTypesetter(...texts.map(([text]) => text));
  for (const [text, seen] of texts) t.deepEqual(asSeen(line(text, STYLE)), [seen]);
});

test('more marks on a letter than any name has are left out', async (t) => {
  const { line } = await openTypesetter();
  t.deepEqual(asSeen(line(`Z${'\u0307'.repeat(40)}a`, STYLE)), [`Ż${'\u0307'.repeat(4)}a`]);
});

test('control characters and marks of direction are dropped, decomposed accents composed', async (t) => {
  const { line, paragraphs } = await openTypesetter();
  t.deepEqual(asSeen(line('A\u0000b\u0007 \u202eevil\u202c e\u0301\ttab', STYLE)), ['Ab evil é tab']);
  const block = paragraphs('one\r\ntwo\u0085three', STYLE, { widthPt: 400 });
  t.deepEqual(asSeen(block), ['one', 'two', 'three']);
});

test('a non-joiner keeps two Arabic letters apart and is not drawn itself', async (t) => {
  const { line } = await openTypesetter();
  const joined = line('می', STYLE);
  const apart = line('م\u200cی', STYLE);
  t.deepEqual(asSeen(apart), ['یم']);
  t.not(apart.widthPt, joined.widthPt);
});

test('a line that is too wide is set smaller, one that fits is left alone', async (t) => {
  const { shrinkToFit, line } = await openTypesetter();
  const natural = line('9 999 999,00', STYLE);
  t.is(shrinkToFit('9 999 999,00', STYLE, natural.widthPt).style.sizePt, STYLE.sizePt);
  const shrunk = shrinkToFit('9 999 999,00', STYLE, natural.widthPt / 2);
  t.true(Math.abs(shrunk.widthPt - natural.widthPt / 2) < 0.01);
});
