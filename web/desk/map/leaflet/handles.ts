import type { LayerGroup, Map as LeafletMap, Marker } from 'leaflet';
import styles from '../map.module.css';
import type { MapOptions, Place } from '../port.ts';
import { divIcon, layerGroup, marker, polygon } from './parts.ts';

const STEP_PX = 10;
const ARROWS: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
};

interface HandleActs {
  readonly label: string;
  readonly onMove: (place: Place) => void;
  readonly onDragging?: (place: Place) => void;
  readonly onRemove?: () => void;
  readonly onPress?: () => void;
}

/** A handle that is dragged, or moved by the arrow keys (with Shift by a pixel). */
function handle(
  map: LeafletMap,
  place: Place,
  kind: 'place' | 'corner' | 'between',
  acts: HandleActs,
): Marker {
  const size = kind === 'place' ? 32 : 24;
  const icon = divIcon({
    className: styles[kind] ?? '',
    iconSize: [size, size],
    iconAnchor: [size / 2, kind === 'place' ? size : size / 2],
  });
  const made = marker([place.latitude, place.longitude], { icon, draggable: true, keyboard: true });
  made.on('add', () => made.getElement()?.setAttribute('aria-label', acts.label));
  made.on('drag', () => acts.onDragging?.(placeOf(made.getLatLng())));
  made.on('dragend', () => acts.onMove(placeOf(made.getLatLng())));
  made.on('click', () => acts.onPress?.());
  made.on('keydown', ({ originalEvent: event }) => {
    const arrow = ARROWS[event.key];
    const isRemoval = event.key === 'Delete' || event.key === 'Backspace';
    const isPress = event.key === 'Enter' || event.key === ' ';
    if (arrow === undefined && !(isRemoval && acts.onRemove) && !(isPress && acts.onPress)) return;
    event.preventDefault();
    event.stopPropagation();
    if (isRemoval) acts.onRemove?.();
    else if (isPress) acts.onPress?.();
    else if (arrow !== undefined) {
      const step = event.shiftKey ? 1 : STEP_PX;
      const from = map.latLngToContainerPoint(made.getLatLng());
      const moved = map.containerPointToLatLng([from.x + arrow[0] * step, from.y + arrow[1] * step]);
      made.setLatLng(moved);
      if (!map.getBounds().contains(moved)) map.panTo(moved, { animate: false });
      acts.onMove(placeOf(moved));
    }
  });
  return made;
}

function placeOf({ lat, lng }: { readonly lat: number; readonly lng: number }): Place {
  return { latitude: round(lat), longitude: round(lng) };
}

/** Six digits are a tenth of a metre. */
function round(degrees: number): number {
  return Math.round(degrees * 1e6) / 1e6;
}

/** The pin that a person moves. */
export class PlaceHandle {
  private readonly map: LeafletMap;
  private readonly options: MapOptions;
  private shown: Marker | undefined;

  constructor(map: LeafletMap, options: MapOptions) {
    this.map = map;
    this.options = options;
  }

  show(place: Place | undefined): void {
    if (place === undefined) {
      this.shown?.remove();
      this.shown = undefined;
      return;
    }
    if (this.shown !== undefined) {
      this.shown.setLatLng([place.latitude, place.longitude]);
      return;
    }
    this.shown = handle(this.map, place, 'place', {
      label: this.options.words().place,
      onMove: (moved) => this.options.handlers().onPlace?.(moved),
    }).addTo(this.map);
  }
}

/** The corners of an outline and the points between them. A corner that is moved keeps its handle, and so the focus. */
export class OutlineHandles {
  private readonly map: LeafletMap;
  private readonly options: MapOptions;
  private readonly area = polygon([], { className: styles['outline'] ?? '', interactive: false });
  private readonly handles: LayerGroup = layerGroup();
  private corners: readonly Place[] = [];
  private markers: Marker[] = [];
  private middles: Marker[] = [];

  constructor(map: LeafletMap, options: MapOptions) {
    this.map = map;
    this.options = options;
    this.area.addTo(map);
    this.handles.addTo(map);
  }

  show(corners: readonly Place[]): void {
    this.corners = corners;
    this.draw(corners);
    if (corners.length === this.markers.length) {
      this.arrange();
      return;
    }
    const focused = this.markers.findIndex((made) => made.getElement() === document.activeElement);
    const pressed = this.middles.findIndex((made) => made.getElement() === document.activeElement);
    this.handles.clearLayers();
    this.markers = corners.map((corner, index) => this.corner(corner, index));
    this.middles = corners.length < 3 ? [] : corners.map((_, index) => this.middle(index));
    for (const made of [...this.markers, ...this.middles]) this.handles.addLayer(made);
    // Where the focus was on a handle it stays on the outline.
    const next = pressed >= 0 ? pressed + 1 : Math.min(focused, corners.length - 1);
    if (next >= 0) this.markers[next]?.getElement()?.focus();
  }

  private draw(corners: readonly Place[]): void {
    this.area.setLatLngs(corners.map(({ latitude, longitude }) => [latitude, longitude]));
  }

  private arrange(): void {
    this.markers.forEach((made, index) => {
      const corner = this.corners[index];
      if (corner !== undefined) made.setLatLng([corner.latitude, corner.longitude]);
    });
    this.middles.forEach((made, index) => {
      const { latitude, longitude } = this.middleOf(index);
      made.setLatLng([latitude, longitude]);
    });
  }

  private corner(place: Place, index: number): Marker {
    const tell = this.options.handlers;
    return handle(this.map, place, 'corner', {
      label: this.options.words().corner(index + 1),
      onDragging: (moved) => this.draw(this.corners.map((corner, at) => (at === index ? moved : corner))),
      onMove: (moved) => tell().onOutline?.({ kind: 'move', index, place: moved }),
      onRemove: () => tell().onOutline?.({ kind: 'remove', index }),
    });
  }

  private middle(index: number): Marker {
    const insert = (place: Place) =>
      this.options.handlers().onOutline?.({ kind: 'insert', index: index + 1, place });
    return handle(this.map, this.middleOf(index), 'between', {
      label: this.options.words().between(index + 1),
      onMove: insert,
      onPress: () => insert(this.middleOf(index)),
    });
  }

  private middleOf(index: number): Place {
    const one = this.corners[index];
    const other = this.corners[(index + 1) % this.corners.length];
    if (one === undefined || other === undefined) return { latitude: 0, longitude: 0 };
    return {
      latitude: round((one.latitude + other.latitude) / 2),
      longitude: round((one.longitude + other.longitude) / 2),
    };
  }
}
