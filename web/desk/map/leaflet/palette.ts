/** Colours of tokens.css as a canvas needs them: resolved for the scheme that the browser shows now. */
export class Palette {
  private readonly element: HTMLElement;
  private readonly known = new Map<string, string>();
  private readonly scheme = window.matchMedia('(prefers-color-scheme: dark)');
  private readonly onScheme: () => void;

  constructor(element: HTMLElement, onChange: () => void) {
    this.element = element;
    this.onScheme = () => {
      this.known.clear();
      onChange();
    };
    this.scheme.addEventListener('change', this.onScheme);
  }

  /** `--accent` as a colour that a canvas draws with. */
  colour(token: string): string {
    const known = this.known.get(token);
    if (known !== undefined) return known;
    this.element.style.color = `var(${token})`;
    const { color } = window.getComputedStyle(this.element);
    this.known.set(token, color);
    return color;
  }

  close(): void {
    this.scheme.removeEventListener('change', this.onScheme);
  }
}
