import { styleText } from 'node:util';

/** What the story checks. */
export const RULES = {
  status: 'Each request gets the expected status code',
  transition: 'Each transition leads to the expected status of its task and its shipment',
  signature: 'Each webhook request is signed over its exact bytes',
  body: 'Each webhook body has the nine fields of the contract',
  repeat: 'A repeated webhook request has the bytes of the first one',
  event: 'Each status change sends one webhook event, in the order of updatedAt',
  log: 'The delivery log agrees with what the receiver answered',
  replay: 'A replayed dead letter is delivered',
  timeline: 'The timeline has each status change, with the updatedAt of its event',
  rejection: 'A rejected request says what is wrong or what is allowed',
  end: 'The story reaches its end',
} as const;

/** Prints what happens and counts what is checked. `styleText` follows the terminal, NO_COLOR and FORCE_COLOR. */
export class Report {
  readonly line: (text: string) => void;
  readonly #checks: { readonly rule: string; readonly difference: string | undefined }[] = [];

  constructor(print: (text: string) => void) {
    this.line = print;
  }

  heading(text: string): void {
    this.line(`\n${styleText('bold', text)}\n${styleText('dim', '─'.repeat(text.length))}`);
  }

  /** Compares two values as JSON. A difference is printed here and again in the summary. */
  check(rule: keyof typeof RULES, what: string, found: unknown, expected: unknown): void {
    const [foundJson, expectedJson] = [JSON.stringify(found), JSON.stringify(expected)];
    const isSame = foundJson === expectedJson;
    const difference = isSame ? undefined : `${what}: expected ${expectedJson}, found ${foundJson}`;
    this.#checks.push({ rule, difference });
    if (difference !== undefined) this.line(styleText('red', `  ✘ ${difference}`));
  }

  /** Prints each rule with its checks and differences. Returns whether each rule was checked and no check failed. */
  summarize(): boolean {
    this.heading('What was checked');
    const results = Object.entries(RULES).map(([name, text]) => {
      const checks = this.#checks.filter(({ rule }) => rule === name);
      const found = checks.flatMap(({ difference }) => difference ?? []);
      const differences = checks.length === 0 ? ['never checked'] : found;
      const mark = differences.length === 0 ? styleText('green', '✔') : styleText('red', '✘');
      this.line(`  ${mark} ${String(checks.length).padStart(3)} ×  ${text}`);
      for (const difference of differences) this.line(styleText('red', `           ${difference}`));
      return differences.length === 0;
    });
    return results.every((isKept) => isKept);
  }
}
