import { shown } from './reading.ts';
import type { Terminal } from './terminal.ts';

/** Counts what was checked against the contract, and keeps what differed. */
export class Checks {
  readonly #terminal: Terminal;
  readonly #differences: string[] = [];
  #count = 0;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  /** Holds `promise` to be true; what differs is shown at once and listed again at the end. */
  expect(isKept: boolean, promise: string, found?: unknown): boolean {
    this.#count += 1;
    if (isKept) return true;
    const difference = found === undefined ? promise : `${promise}; found ${shown(found)}`;
    this.#differences.push(difference);
    this.#terminal.line(`    ${this.#terminal.palette.red(`✘ ${difference}`)}`);
    return false;
  }

  /** Holds two plain values to be the same. */
  same(found: unknown, expected: unknown, what: string): boolean {
    return this.expect(
      JSON.stringify(found) === JSON.stringify(expected),
      `${what}: expected ${shown(expected)}`,
      found,
    );
  }

  /** Takes the faults that a pure check found in `what`; none counts as a kept promise. */
  faultless(faults: readonly string[], what: string): void {
    if (faults.length === 0) this.#count += 1;
    for (const fault of faults) this.expect(false, `${what}: ${fault}`);
  }

  /** As `expect`, and shows a promise that is kept. */
  show(isKept: boolean, promise: string, found?: unknown): void {
    const { green } = this.#terminal.palette;
    if (this.expect(isKept, promise, found)) this.#terminal.line(`    ${green('✔')} ${promise}`);
  }

  get count(): number {
    return this.#count;
  }

  get differences(): readonly string[] {
    return this.#differences;
  }
}
