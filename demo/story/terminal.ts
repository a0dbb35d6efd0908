/** Colours a text, or leaves it as it is where colours are not wanted. */
export type Colour = (text: string) => string;

const CODES = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  blue: [34, 39],
  magenta: [35, 39],
  cyan: [36, 39],
} as const;

export type Palette = Readonly<Record<keyof typeof CODES, Colour>>;

const BAR_CELLS = 28;
const ERASE_LINE = '\r\u001b[2K';

/** Tells whether to colour (no-color.org): NO_COLOR forbids, FORCE_COLOR demands, else a terminal decides. */
export function wantsColour(isTerminal: boolean, environment: NodeJS.ProcessEnv): boolean {
  const isSet = (name: string): boolean => (environment[name] ?? '') !== '';
  if (isSet('NO_COLOR')) return false;
  return isSet('FORCE_COLOR') || (isTerminal && environment['TERM'] !== 'dumb');
}

/** The colours that the story uses, all of them plain where `isColourful` is false. */
export function createPalette(isColourful: boolean): Palette {
  const colour = (name: keyof typeof CODES): Colour => {
    const [on, off] = CODES[name];
    return (text) => (isColourful ? `\u001b[${on}m${text}\u001b[${off}m` : text);
  };
  return {
    bold: colour('bold'),
    dim: colour('dim'),
    red: colour('red'),
    green: colour('green'),
    yellow: colour('yellow'),
    blue: colour('blue'),
    magenta: colour('magenta'),
    cyan: colour('cyan'),
  };
}

/** Writes lines, and below them one status line that a terminal draws anew at each change. */
export class Terminal {
  readonly palette: Palette;
  readonly #write: (text: string) => void;
  readonly #isTerminal: boolean;
  #status = '';

  constructor(write: (text: string) => void, options: { isTerminal: boolean; isColourful: boolean }) {
    this.#write = write;
    this.#isTerminal = options.isTerminal;
    this.palette = createPalette(options.isColourful);
  }

  line(text = ''): void {
    this.#write(this.#status === '' ? `${text}\n` : `${ERASE_LINE}${text}\n${this.#status}`);
  }

  /** A chapter's heading. */
  heading(text: string): void {
    this.line();
    this.line(this.palette.bold(text));
    this.line(this.palette.dim('─'.repeat(Array.from(text).length)));
  }

  /** Draws the status line; shows nothing where there is no terminal. */
  status(text: string): void {
    if (!this.#isTerminal) return;
    this.#status = text;
    this.#write(`${ERASE_LINE}${text}`);
  }

  endStatus(): void {
    if (this.#status === '') return;
    this.#status = '';
    this.#write(ERASE_LINE);
  }

  get isTerminal(): boolean {
    return this.#isTerminal;
  }
}

/** A bar of fixed width for a part of a whole. */
export function bar(done: number, total: number): string {
  const filled = total === 0 ? BAR_CELLS : Math.floor((done / total) * BAR_CELLS);
  return `${'█'.repeat(filled)}${'░'.repeat(BAR_CELLS - filled)}`;
}

/** Aligns rows of words into columns, two blanks between them; a row may be shorter than the first. */
export function columns(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => Array.from(row[column] ?? '').length)),
  );
  return rows.map((row) =>
    row
      .map((word, column) => word + ' '.repeat(Math.max(0, (widths[column] ?? 0) - Array.from(word).length)))
      .join('  ')
      .trimEnd(),
  );
}
