import type { Said } from '../domain/messages.ts';
import { say } from '../domain/messages.ts';
import { MAX_CELL_LENGTH, MAX_TEXT_LENGTH } from './limits.ts';
import { tooLarge } from './workbook-error.ts';
import type { WorkbookError } from './workbook-error.ts';
import { readXml } from './xml.ts';
import type { ZipPart } from './zip.ts';

/** Reads the table of shared strings; rich text becomes its plain text, phonetic guides are left out. */
export async function readSharedStrings(part: ZipPart | undefined): Promise<readonly string[]> {
  const strings: string[] = [];
  if (part === undefined) return strings;
  const capture = new TextCapture();
  let length = 0;
  await readXml(part.unpack(), part.name, {
    open: (name) => capture.open(name),
    text: (text) => capture.write(text),
    close: (name) => {
      capture.close(name);
      if (name !== 'si') return;
      const string = capture.take();
      length += string.length;
      if (length > MAX_TEXT_LENGTH) throw tooMuchText();
      strings.push(string);
    },
  });
  return strings;
}

/** Gathers the text in `<t>` and `<v>`, but not in a phonetic guide `<rPh>` (ECMA-376 part 1 §18.4). */
export class TextCapture {
  readonly #tooLong: (limit: number) => Said;
  #text = '';
  #isText = false;
  #isPhonetic = false;

  /** @param tooLong says where a text is that has more characters than the limit. */
  constructor(tooLong = (limit: number): Said => say('workbook_long_text', { limit })) {
    this.#tooLong = tooLong;
  }

  open(name: string): void {
    if (name === 't' || name === 'v') this.#isText = true;
    if (name === 'rPh') this.#isPhonetic = true;
  }

  write(text: string): void {
    if (!this.#isText || this.#isPhonetic) return;
    this.#text += text;
    if (this.#text.length > MAX_CELL_LENGTH) {
      throw tooLarge(this.#tooLong(MAX_CELL_LENGTH));
    }
  }

  close(name: string): void {
    if (name === 't' || name === 'v') this.#isText = false;
    if (name === 'rPh') this.#isPhonetic = false;
  }

  /** The text so far, with the escapes of ECMA-376 §22.4.2.4 undone; begins again. */
  take(): string {
    const text = unescapeString(this.#text);
    this.#text = '';
    return text;
  }
}

/** The error for more text than any list of shipments has. */
export function tooMuchText(): WorkbookError {
  return tooLarge(say('workbook_characters', { millions: Math.floor(MAX_TEXT_LENGTH / 1e6) }));
}

/** `_x000D_` stands for a character that XML can't hold or would change, `_x005F_` for an underscore. NUL is left out: no text holds it. */
function unescapeString(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replace(/_x([0-9A-Fa-f]{4})_/gu, (escape, hex: string) => {
    const code = Number.parseInt(hex, 16);
    if (code >= 0xd800 && code <= 0xdfff) return escape;
    return code === 0 ? '' : String.fromCharCode(code);
  });
}
