import test from 'ava';

import { cleanLine } from '../../documents/clean-text.ts';
import { FontSet } from '../../documents/font-set.ts';
import { renderDeliveryNotes } from '../../documents/render-delivery-notes.ts';
import { createTypesetter } from '../../documents/text-layout.ts';
import type { TextBlock, TextStyle } from '../../documents/text-layout.ts';
import { CREATED_AT, sampleNote } from './document-samples.ts';
import { readTexts } from './read-pdf.ts';
import { partyIn, SCRIPTS } from './scripts.ts';

const STYLE: TextStyle = { face: 'regular', sizePt: 10, leadingPt: 12 };
const openTypesetter = async (...texts: readonly string[]) => createTypesetter(await FontSet.open(texts));
const families = (block: TextBlock) =>
  new Set(block.lines.flatMap(({ runs }) => runs.map(({ font }) => font.name.split(' ')[0])));
const asSeen = (block: TextBlock) =>
  block.lines.map((line) => line.runs.map((run) => run.visualText).join(''));

for (const [script, { name, street, city }] of Object.entries(SCRIPTS)) {
  test(`${script}: each letter of a name is drawn by a font that has it, in every face`, async (t) => {
    const texts = [name, street, city];
    const { line } = await openTypesetter(...texts);
    for (const face of ['regular', 'bold', 'mono'] as const) {
      for (const text of texts) {
        const block = line(text, { ...STYLE, face });
        t.is(
          block.lines.map(({ plainText }) => plainText).join(''),
          cleanLine(text).replaceAll('\u200c', ''),
        );
        const drawnText = block.lines.flatMap(({ runs }) => runs.map((run) => run.text)).join('');
        t.is(drawnText.match(/\p{M}/gu)?.length, cleanLine(text).match(/\p{M}/gu)?.length, text);
        for (const { font, text: drawn } of block.lines.flatMap(({ runs }) => runs)) {
          const missing = font.font.layout(drawn).glyphs.filter(({ id }) => id === 0);
          t.deepEqual(missing, [], `${drawn} in ${font.name}`);
          t.false(drawn.includes('\ufffd'), text);
        }
      }
    }
  });

  test(`${script}: a name comes out of the PDF as it was written`, async (t) => {
    const note = sampleNote({ recipient: partyIn(script), receivedBy: name });
    const [page] = await readTexts(
      await renderDeliveryNotes([note], { locale: 'en', createdAt: CREATED_AT }),
    );
    const plain = (text: string) => cleanLine(text).replace(/[\s\u200c]/gu, '');
    t.true(plain(page?.text ?? '').includes(plain(name)), page?.text);
  });
}

test('a Latin document opens no fallback, one with a rare letter the slice that has it', async (t) => {
  const opened = async (text: string) => (await FontSet.open([text])).all.map(({ name }) => name);
  t.deepEqual(await opened('Amélie Benaïssa-Ørsted, Łódź 12'), ['regular', 'bold', 'mono']);
  const japanese = (await opened('さ')).map((name) => name.replace(/\d+/u, 'n'));
  t.deepEqual(japanese.sort(), ['bold', 'japanese n bold', 'japanese n regular', 'mono', 'regular']);
});

test('a mark stands above or below the middle of its letter, not after it', async (t) => {
  const letters = ['ɔ̃́', 'ɛ̌', 'ǫ́', 'ẋ̣', 'ł̓', 'k̓', 'ᾱ̓', 'ῡ́', 'ã́', 'э̄', 'g̃', 'Ẹ̀'].map(cleanLine);
  const { line } = await openTypesetter(...letters);
  for (const letter of letters) {
    for (const face of ['regular', 'bold', 'mono'] as const) {
      const [run] = line(letter, { ...STYLE, face }).lines.flatMap(({ runs }) => runs);
      t.is(run?.text, letter);
      const { glyphs = [], positions = [] } = run?.font.font.layout(letter) ?? {};
      const [widthUnits = 0, ...widths] = positions.map(({ xAdvance }) => xAdvance);
      t.deepEqual(new Set(widths), new Set([0]), letter);
      for (const [index, { bbox }] of glyphs.entries()) {
        if (index === 0) continue;
        const middle = widthUnits + (positions[index]?.xOffset ?? 0) + (bbox.minX + bbox.maxX) / 2;
        t.true(middle > 0 && middle < widthUnits, `${letter} in ${face}`);
      }
    }
  }
});

test('Chinese characters have the forms of the country whose text it is', async (t) => {
  const texts = ['东国', '國家', '直さ', '직直', 'ㄅ直'] as const;
  const { line } = await openTypesetter(...texts);
  const forms = texts.map((text) => [...families(line(text, STYLE))]);
  t.deepEqual(forms, [['simplified'], ['traditional'], ['japanese'], ['korean'], ['traditional']]);
  const undecided = await openTypesetter('大山', '東京都渋谷区');
  t.deepEqual([...families(undecided.line('大山', STYLE))], ['japanese']);
});

test('lines break between Chinese letters, but no line begins with a closing mark', async (t) => {
  const text = '北京市朝阳区建国路，八十八号。国贸大厦（三层）';
  const { line } = await openTypesetter(text);
  const lines = asSeen(line(text, STYLE, { widthPt: 61 }));
  t.true(lines.length > 3);
  t.is(lines.join(''), text);
  t.deepEqual(
    lines.filter((each) => /^[，。）]|（$/u.test(each)),
    [],
  );
});

test('lines of Thai break between words', async (t) => {
  const text = 'กรุงเทพมหานครประเทศไทย';
  const { line } = await openTypesetter(text);
  t.deepEqual(asSeen(line(text, STYLE, { widthPt: 75 })), ['กรุงเทพมหานคร', 'ประเทศไทย']);
});

test('no line is wider than its space and no letter is lost, in any script', async (t) => {
  const texts = Object.values(SCRIPTS).map(({ street }) =>
    cleanLine(street).replaceAll('\u200c', '').repeat(8),
  );
  const { line } = await openTypesetter(...texts);
  for (const text of texts) {
    const { lines } = line(text, STYLE, { widthPt: 90 });
    t.true(lines.length > 3);
    t.deepEqual(
      lines.filter(({ widthPt }) => widthPt > 90.01),
      [],
    );
    const read = lines.map(({ plainText }) => plainText).join('');
    t.is(read.replaceAll(' ', ''), text.replaceAll(' ', ''));
  }
});

test('an organization’s Latin name keeps its order inside a Hebrew address', async (t) => {
  const { line } = await openTypesetter('רחוב');
  t.deepEqual(asSeen(line('רחוב DHL Express 5', STYLE)), ['DHL Express 5 בוחר']);
  t.deepEqual(asSeen(line('DHL Express רחוב 5', STYLE)), ['DHL Express 5 בוחר']);
});
