import type { LayerGroup, LeafletMouseEvent, Map as LeafletMap, Renderer } from 'leaflet';
import 'leaflet/dist/leaflet.css';
import styles from '../map.module.css';
import type { Area, Hit, MapOptions, MapPort, OpenMap, Place } from '../port.ts';
import { drawBaseMap } from './base-map.ts';
import { BoxTool } from './box.ts';
import { OutlineHandles, PlaceHandle } from './handles.ts';
import { createMap, latLngBounds, layerGroup, polygon, scale, svg } from './parts.ts';
import { PinCanvas } from './pin-canvas.ts';

const MAXIMUM_ZOOM = 18;
/** One place alone is shown with the streets around it. */
const STREET_ZOOM = 14;
const NOTHING: Hit = { pins: [], sight: undefined };

/** The map as Leaflet draws it. It is never mirrored, and moves without animation. */
export const openMap: OpenMap = (element, options) => {
  element.dir = 'ltr';
  const map = createMap(element, {
    attributionControl: false,
    zoomControl: false,
    boxZoom: false,
    doubleClickZoom: false,
    fadeAnimation: false,
    zoomAnimation: false,
    markerZoomAnimation: false,
    inertia: false,
    minZoom: 2,
    maxZoom: MAXIMUM_ZOOM,
    zoomSnap: 0.5,
    zoomDelta: 1,
  }).setView([30, 5], 3);
  scale({ imperial: false, position: 'bottomleft' }).addTo(map);
  if (options.tilesUrl === undefined) drawBaseMap(map);
  else drawTiles(map, options.tilesUrl);
  const areas = layerGroup().addTo(map);
  const renderer = svg({ padding: 0.4 });
  const canvas = new PinCanvas(map, styles['pins'] ?? '');
  const box = new BoxTool(element, styles['box'] ?? '', (x1, y1, x2, y2, isAdding) =>
    options.handlers().onBox?.(canvas.within(x1, y1, x2, y2), isAdding),
  );
  listen(map, canvas, options);
  const sizes = new ResizeObserver(() => map.invalidateSize({ animate: false, pan: false }));
  sizes.observe(element);
  const place = new PlaceHandle(map, options);
  const outline = new OutlineHandles(map, options);
  return {
    ...viewOf(map),
    setPins: (pins) => canvas.setPins(pins),
    setSights: (sights) => canvas.setSights(sights),
    setAreas: (shown) => drawAreas(areas, renderer, shown),
    setPlace: (shown) => place.show(shown),
    setOutline: (corners) => outline.show(corners),
    setBoxMode: (isOn) => {
      box.isOn = isOn;
      element.classList.toggle(styles['boxing'] ?? '', isOn);
    },
    close: () => {
      sizes.disconnect();
      box.close();
      canvas.close();
      map.remove();
    },
  };
};

/** Its code is loaded where tiles are set. */
function drawTiles(map: LeafletMap, tilesUrl: string): void {
  let isOpen = true;
  map.on('unload', () => {
    isOpen = false;
  });
  void import('leaflet/src/layer/tile/TileLayer.js').then(({ tileLayer }) => {
    if (isOpen) tileLayer(tilesUrl, { maxZoom: MAXIMUM_ZOOM }).addTo(map);
  });
}

function viewOf(map: LeafletMap): Pick<MapPort, 'fit' | 'center' | 'middle' | 'bounds' | 'zoom'> {
  return {
    fit: (places) => {
      if (places.length === 0) return;
      const corners = latLngBounds(places.map(({ latitude, longitude }) => [latitude, longitude]));
      map.fitBounds(corners, { padding: [28, 28], maxZoom: STREET_ZOOM, animate: false });
    },
    center: ({ latitude, longitude }, zoom = map.getZoom()) =>
      map.setView([latitude, longitude], zoom, { animate: false }),
    middle: () => placeOf(map.getCenter()),
    bounds: () => {
      const shown = map.getBounds();
      return {
        south: shown.getSouth(),
        west: shown.getWest(),
        north: shown.getNorth(),
        east: shown.getEast(),
      };
    },
    zoom: (steps) => map.setZoom(map.getZoom() + steps, { animate: false }),
  };
}

function placeOf({ lat, lng }: { readonly lat: number; readonly lng: number }): Place {
  return { latitude: Math.round(lat * 1e6) / 1e6, longitude: Math.round(lng * 1e6) / 1e6 };
}

function listen(map: LeafletMap, canvas: PinCanvas, { handlers }: MapOptions): void {
  let last: Hit = NOTHING;
  const hover = (hit: Hit, { containerPoint: { x, y } }: LeafletMouseEvent) => {
    if (hit.sight === last.sight && hit.pins.join() === last.pins.join()) return;
    last = hit;
    const isSomething = hit.pins.length > 0 || hit.sight !== undefined;
    map.getContainer().classList.toggle(styles['pointing'] ?? '', isSomething);
    handlers().onHover?.(isSomething ? hit : undefined, x, y);
  };
  map.on('click', ({ latlng, containerPoint, originalEvent }: LeafletMouseEvent) => {
    const { shiftKey, ctrlKey, metaKey } = originalEvent;
    handlers().onClick?.({
      place: placeOf(latlng.wrap()),
      hit: canvas.hit(containerPoint.x, containerPoint.y),
      isAdding: shiftKey || ctrlKey || metaKey,
    });
  });
  map.on('mousemove', (event) => hover(canvas.hit(event.containerPoint.x, event.containerPoint.y), event));
  map.on('mouseout', (event) => hover(NOTHING, event));
  map.on('moveend', () => handlers().onView?.());
}

function drawAreas(layer: LayerGroup, renderer: Renderer, areas: readonly Area[]): void {
  layer.clearLayers();
  for (const { rings, isQuiet } of areas) {
    const corners = rings.map((ring) =>
      ring.map(({ latitude, longitude }): [number, number] => [latitude, longitude]),
    );
    const className = [styles['area'], isQuiet && styles['quiet']].filter(Boolean).join(' ');
    layer.addLayer(polygon(corners, { className, interactive: false, renderer }));
  }
}
