import test from 'ava';
import { bar, columns, createPalette, Terminal, wantsColour } from '../../demo/story/terminal.ts';

test('NO_COLOR forbids colours, FORCE_COLOR demands them, else a terminal decides', (t) => {
  t.true(wantsColour(true, {}));
  t.false(wantsColour(false, {}));
  t.false(wantsColour(true, { NO_COLOR: '1' }));
  t.false(wantsColour(true, { NO_COLOR: '1', FORCE_COLOR: '1' }));
  t.true(wantsColour(true, { NO_COLOR: '' }));
  t.true(wantsColour(false, { FORCE_COLOR: '1' }));
  t.is(createPalette(false).red('text'), 'text');
  t.is(createPalette(true).red('text'), '\u001b[31mtext\u001b[39m');
});

test('a line is written above the status line, which is drawn anew', (t) => {
  let written = '';
  const terminal = new Terminal((text) => (written += text), { isTerminal: true, isColourful: false });
  terminal.status('half');
  terminal.line('news');
  terminal.endStatus();
  t.is(written, '\r\u001b[2Khalf\r\u001b[2Knews\nhalf\r\u001b[2K');
});

test('without a terminal there is no status line', (t) => {
  let written = '';
  const terminal = new Terminal((text) => (written += text), { isTerminal: false, isColourful: false });
  terminal.status('half');
  terminal.line('news');
  t.is(written, 'news\n');
});

test('a bar is empty, half and full', (t) => {
  t.is(bar(0, 200).replaceAll('░', '').length, 0);
  t.is(bar(100, 200).replaceAll('░', '').length, 14);
  t.is(bar(200, 200).replaceAll('░', '').length, 28);
});

test('columns align by letters, not by bytes', (t) => {
  t.deepEqual(
    columns([
      ['é', 'x'],
      ['long', 'y'],
    ]),
    ['é     x', 'long  y'],
  );
});
