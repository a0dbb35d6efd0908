import type { Map as LeafletMap, Point } from 'leaflet';
import type { Hit, Pin, Place, Sight } from '../port.ts';
import { drawCount, drawPin, drawSight } from './drawing.ts';
import { Palette } from './palette.ts';

/** Pins whose middles are in the same square of this many pixels are drawn as one. */
const CELL_PX = 16;
const REACH_PX = 13;

interface Stack {
  readonly pins: Pin[];
  shown: Pin;
  readonly x: number;
  readonly y: number;
}

/** Thousands of pins on one canvas over the map; it is drawn at most once a frame. */
export class PinCanvas {
  private readonly map: LeafletMap;
  private readonly canvas = document.createElement('canvas');
  private readonly palette: Palette;
  /** Where a pin is at zoom 0, found once. */
  private readonly projected = new WeakMap<Place, Point>();
  private pins: readonly Pin[] = [];
  private sights: readonly Sight[] = [];
  private stacks: Stack[] = [];
  private seen: { readonly sight: Sight; readonly x: number; readonly y: number }[] = [];
  private frame: number | undefined;

  constructor(map: LeafletMap, className: string) {
    this.map = map;
    this.canvas.className = className;
    this.canvas.setAttribute('aria-hidden', 'true');
    map.getContainer().append(this.canvas);
    this.palette = new Palette(this.canvas, () => this.schedule());
    map.on('move zoom resize viewreset', () => this.schedule());
  }

  setPins(pins: readonly Pin[]): void {
    this.pins = pins;
    this.schedule();
  }

  setSights(sights: readonly Sight[]): void {
    this.sights = sights;
    this.schedule();
  }

  close(): void {
    if (this.frame !== undefined) cancelAnimationFrame(this.frame);
    this.palette.close();
    this.canvas.remove();
  }

  hit(x: number, y: number): Hit {
    const sight = this.seen.findLast((drawn) => isNear(drawn, x, y) && drawn.sight.kind !== 'text');
    const near = this.stacks.filter((stack) => isNear(stack, x, y));
    near.sort((one, other) => distance(one, x, y) - distance(other, x, y));
    return { pins: near[0]?.pins.map(({ id }) => id) ?? [], sight: sight?.sight.id };
  }

  /** The pins between two corners, in pixels. */
  within(x1: number, y1: number, x2: number, y2: number): readonly string[] {
    const toScreen = this.projection();
    return this.pins
      .filter(({ place }) => {
        const { x, y } = toScreen(place);
        return (
          x >= Math.min(x1, x2) && x <= Math.max(x1, x2) && y >= Math.min(y1, y2) && y <= Math.max(y1, y2)
        );
      })
      .map(({ id }) => id);
  }

  private schedule(): void {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = undefined;
      this.draw();
    });
  }

  private projection(): (place: Place) => { readonly x: number; readonly y: number } {
    const scale = 2 ** this.map.getZoom();
    const corner = this.map.getPixelBounds().min ?? { x: 0, y: 0 };
    return (place) => {
      let point = this.projected.get(place);
      if (point === undefined) {
        point = this.map.project([place.latitude, place.longitude], 0);
        this.projected.set(place, point);
      }
      return { x: point.x * scale - corner.x, y: point.y * scale - corner.y };
    };
  }

  private draw(): void {
    const { x: width, y: height } = this.map.getSize();
    const context = this.prepare(width, height);
    if (context === null) return;
    const toScreen = this.projection();
    this.stacks = stacksOf(this.pins, toScreen, width, height);
    this.seen = this.sights
      .map((sight) => ({ sight, ...toScreen(sight.place) }))
      .filter(({ x, y }) => isVisible(x, y, width, height));
    const labelled = new Set<string>();
    for (const { sight, x, y } of this.seen)
      if (sight.kind !== 'driver') drawSight(context, this.palette, sight, x, y, labelled);
    for (const { shown, pins, x, y } of this.stacks) {
      drawPin(context, this.palette, shown, x, y);
      if (pins.length > 1) drawCount(context, this.palette, pins.length, x, y);
    }
    for (const { sight, x, y } of this.seen)
      if (sight.kind === 'driver') drawSight(context, this.palette, sight, x, y, labelled);
  }

  /** The canvas empty and of the map's size, in the screen's own pixels. */
  private prepare(width: number, height: number): CanvasRenderingContext2D | null {
    const ratio = window.devicePixelRatio;
    const { canvas } = this;
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
    }
    const context = canvas.getContext('2d');
    context?.setTransform(ratio, 0, 0, ratio, 0, 0);
    context?.clearRect(0, 0, width, height);
    return context;
  }
}

function stacksOf(
  pins: readonly Pin[],
  toScreen: (place: Place) => { readonly x: number; readonly y: number },
  width: number,
  height: number,
): Stack[] {
  const cells = new Map<number, Stack>();
  for (const pin of pins) {
    const { x, y } = toScreen(pin.place);
    if (!isVisible(x, y, width, height)) continue;
    const cell = Math.floor(y / CELL_PX) * 10_000 + Math.floor(x / CELL_PX);
    const stack = cells.get(cell);
    if (stack === undefined) cells.set(cell, { pins: [pin], shown: pin, x, y });
    else {
      stack.pins.push(pin);
      if (rankOf(pin) > rankOf(stack.shown)) stack.shown = pin;
    }
  }
  // What is selected, and what matters most, is on top.
  return [...cells.values()].sort((one, other) => rankOf(one.shown) - rankOf(other.shown));
}

function rankOf({ look, isSelected }: Pin): number {
  return look.rank + (isSelected ? 100 : 0);
}

function isVisible(x: number, y: number, width: number, height: number): boolean {
  return x > -CELL_PX && y > -CELL_PX && x < width + CELL_PX && y < height + CELL_PX;
}

function distance(of: { readonly x: number; readonly y: number }, x: number, y: number): number {
  return Math.hypot(of.x - x, of.y - y);
}

function isNear(of: { readonly x: number; readonly y: number }, x: number, y: number): boolean {
  return distance(of, x, y) <= REACH_PX;
}
