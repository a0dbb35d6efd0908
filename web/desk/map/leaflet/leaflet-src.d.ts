// The parts of Leaflet that parts.ts takes, with the types of the whole.
declare module 'leaflet/src/map/Map.js' {
  export { Map, map as createMap } from 'leaflet';
}
declare module 'leaflet/src/control/Control.Scale.js' {
  import type { control } from 'leaflet';

  export const scale: typeof control.scale;
}
declare module 'leaflet/src/geo/LatLngBounds.js' {
  export { latLngBounds as toLatLngBounds } from 'leaflet';
}
declare module 'leaflet/src/layer/LayerGroup.js' {
  export { layerGroup } from 'leaflet';
}
declare module 'leaflet/src/layer/marker/DivIcon.js' {
  export { divIcon } from 'leaflet';
}
declare module 'leaflet/src/layer/marker/Marker.js' {
  export { marker } from 'leaflet';
}
declare module 'leaflet/src/layer/tile/TileLayer.js' {
  export { tileLayer } from 'leaflet';
}
declare module 'leaflet/src/layer/vector/Polygon.js' {
  export { polygon } from 'leaflet';
}
declare module 'leaflet/src/layer/vector/SVG.js' {
  export { svg } from 'leaflet';
}
declare module 'leaflet/src/map/handler/*';
