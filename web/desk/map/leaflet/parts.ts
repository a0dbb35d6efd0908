import type { Path, Renderer } from 'leaflet';
import { Map } from 'leaflet/src/map/Map.js';
import { svg } from 'leaflet/src/layer/vector/SVG.js';
// What moves the map: by the mouse, its wheel, keys and fingers.
import 'leaflet/src/map/handler/Map.Drag.js';
import 'leaflet/src/map/handler/Map.Keyboard.js';
import 'leaflet/src/map/handler/Map.ScrollWheelZoom.js';
import 'leaflet/src/map/handler/Map.TouchZoom.js';

/**
 * Leaflet without the parts that this map never shows, which would be a third of its size: popups, overlays of pictures, markers
 * with shadows, the canvas renderer, GeoJSON. Its package says nothing of side effects, so that a build cannot find them by itself.
 */
export { createMap } from 'leaflet/src/map/Map.js';
export { scale } from 'leaflet/src/control/Control.Scale.js';
export { toLatLngBounds as latLngBounds } from 'leaflet/src/geo/LatLngBounds.js';
export { layerGroup } from 'leaflet/src/layer/LayerGroup.js';
export { divIcon } from 'leaflet/src/layer/marker/DivIcon.js';
export { marker } from 'leaflet/src/layer/marker/Marker.js';
export { polygon } from 'leaflet/src/layer/vector/Polygon.js';
export { svg };

// Outlines ask their map what draws them; Leaflet's own answer brings its canvas renderer along.
Map.include({
  getRenderer(this: Map & { svg?: Renderer }, { options }: Path): Renderer {
    const renderer = options.renderer ?? (this.svg ??= svg());
    if (!this.hasLayer(renderer)) this.addLayer(renderer);
    return renderer;
  },
});
