/** A box that is drawn with the mouse while Shift is held, or while `isOn`; corners in pixels of the element. */
export class BoxTool {
  isOn = false;
  private readonly element: HTMLElement;
  private readonly box = document.createElement('div');
  private readonly onBox: (x1: number, y1: number, x2: number, y2: number, isAdding: boolean) => void;
  private readonly listening = new AbortController();
  private start: { readonly x: number; readonly y: number } | undefined;
  /** The click that ends a box is none on the map. */
  private hasEnded = false;

  constructor(element: HTMLElement, className: string, onBox: BoxTool['onBox']) {
    this.element = element;
    this.onBox = onBox;
    this.box.className = className;
    this.box.hidden = true;
    element.append(this.box);
    const options = { capture: true, signal: this.listening.signal };
    element.addEventListener('pointerdown', (event) => this.begin(event), options);
    element.addEventListener('mousedown', (event) => this.keep(event), options);
    element.addEventListener('touchstart', (event) => this.keep(event), options);
    element.addEventListener('pointermove', (event) => this.draw(event), options);
    element.addEventListener('pointerup', (event) => this.end(event), options);
    element.addEventListener('pointercancel', () => this.stop(), options);
    element.addEventListener(
      'click',
      (event) => {
        if (this.hasEnded) event.stopPropagation();
        this.hasEnded = false;
      },
      options,
    );
  }

  close(): void {
    this.listening.abort();
    this.box.remove();
  }

  private at(event: MouseEvent): { readonly x: number; readonly y: number } {
    const { left, top } = this.element.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  }

  private begin(event: PointerEvent): void {
    this.hasEnded = false;
    if (event.button !== 0 || !(this.isOn || event.shiftKey)) return;
    event.stopPropagation();
    this.start = this.at(event);
    this.element.setPointerCapture(event.pointerId);
  }

  /** The map does not move under a box. */
  private keep(event: Event): void {
    if (this.start !== undefined) event.stopPropagation();
  }

  private draw(event: PointerEvent): void {
    if (this.start === undefined) return;
    const { x, y } = this.at(event);
    const { style } = this.box;
    style.translate = `${Math.min(x, this.start.x)}px ${Math.min(y, this.start.y)}px`;
    style.inlineSize = `${Math.abs(x - this.start.x)}px`;
    style.blockSize = `${Math.abs(y - this.start.y)}px`;
    this.box.hidden = false;
  }

  private end(event: PointerEvent): void {
    const { start } = this;
    this.stop();
    if (start === undefined) return;
    const { x, y } = this.at(event);
    // Shift and a click alone adds to what is chosen.
    if (Math.hypot(x - start.x, y - start.y) < 5) return;
    this.hasEnded = true;
    this.onBox(start.x, start.y, x, y, event.ctrlKey || event.metaKey);
  }

  private stop(): void {
    this.start = undefined;
    this.box.hidden = true;
  }
}
