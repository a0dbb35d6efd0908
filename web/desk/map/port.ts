/** Degrees, WGS 84. */
export interface Place {
  readonly latitude: number;
  readonly longitude: number;
}

export interface Bounds {
  readonly south: number;
  readonly west: number;
  readonly north: number;
  readonly east: number;
}

/** A sign of colour and form: `path` is drawn inside of a form of 16 by 16 around its middle. */
export interface PinLook {
  /** The name of a colour of tokens.css, `--accent`. */
  readonly colour: string;
  readonly isFilled: boolean;
  /** As in SVG: lines, drawn in the colour of the ground on a filled form. */
  readonly path: string;
  /** Of two in one place the higher is drawn. */
  readonly rank: number;
}

/** One of thousands; where many are close only one is drawn, with their number. */
export interface Pin {
  readonly id: string;
  readonly place: Place;
  readonly look: PinLook;
  readonly form: 'circle' | 'square';
  readonly isSelected: boolean;
  readonly isPending: boolean;
}

/** What is always drawn: a driver with initials and a line below, a pickup point, or a text alone. */
export interface Sight {
  readonly id: string;
  readonly kind: 'driver' | 'pickup_point' | 'text';
  readonly place: Place;
  /** Inside of the form. */
  readonly sign: string;
  /** Below it. */
  readonly label: string;
  /** Whether it is shown as old. */
  readonly isQuiet: boolean;
}

/** The first ring is the border, the others are holes. */
export interface Area {
  readonly id: string;
  readonly rings: readonly (readonly Place[])[];
  readonly isQuiet: boolean;
}

/** What is under the pointer: pins that are drawn as one, and a sight. */
export interface Hit {
  readonly pins: readonly string[];
  readonly sight: string | undefined;
}

export interface PointerEventOnMap {
  readonly place: Place;
  readonly hit: Hit;
  /** Whether it adds to what is chosen (Shift, Ctrl or ⌘ was held). */
  readonly isAdding: boolean;
}

export interface MapHandlers {
  readonly onClick?: (event: PointerEventOnMap) => void;
  /** The pointer is over something else; in pixels from the upper left corner. */
  readonly onHover?: (hit: Hit | undefined, x: number, y: number) => void;
  /** A box was drawn around these pins. */
  readonly onBox?: (pins: readonly string[], isAdding: boolean) => void;
  /** The map shows another part. */
  readonly onView?: () => void;
  /** The movable pin was moved by mouse or keys. */
  readonly onPlace?: (place: Place) => void;
  readonly onOutline?: (change: OutlineChange) => void;
}

/** What a person did to a corner of an outline; `insert` puts one before the corner of that index. */
export type OutlineChange =
  | { readonly kind: 'move' | 'insert'; readonly index: number; readonly place: Place }
  | { readonly kind: 'remove'; readonly index: number };

/** Words that the map itself says. */
export interface MapWords {
  /** Of the movable pin, for readers. */
  readonly place: string;
  /** Of a corner of an outline, by its number from 1. */
  readonly corner: (number: number) => string;
  /** Of the point between a corner and the next. */
  readonly between: (number: number) => string;
}

export interface MapOptions {
  /** Raster tiles, `{z}/{x}/{y}`; without them coasts and borders are drawn. */
  readonly tilesUrl: string | undefined;
  /** In the language of now. */
  readonly words: () => MapWords;
  /** The latest handlers: asked at each event. */
  readonly handlers: () => MapHandlers;
}

/** A map in a page, whatever library draws it. */
export interface MapPort {
  readonly setPins: (pins: readonly Pin[]) => void;
  readonly setSights: (sights: readonly Sight[]) => void;
  readonly setAreas: (areas: readonly Area[]) => void;
  /** Shows a pin that a person can move, or none. */
  readonly setPlace: (place: Place | undefined) => void;
  /** Shows the corners of an outline that a person edits. */
  readonly setOutline: (corners: readonly Place[]) => void;
  /** Shows all of these places. */
  readonly fit: (places: readonly Place[]) => void;
  readonly center: (place: Place, zoom?: number) => void;
  readonly middle: () => Place;
  readonly bounds: () => Bounds;
  readonly zoom: (steps: number) => void;
  /** While on, dragging draws a box, as it does with Shift. */
  readonly setBoxMode: (isOn: boolean) => void;
  readonly close: () => void;
}

export type OpenMap = (element: HTMLElement, options: MapOptions) => MapPort;

export function isInside({ latitude, longitude }: Place, { south, west, north, east }: Bounds): boolean {
  return latitude >= south && latitude <= north && longitude >= west && longitude <= east;
}
