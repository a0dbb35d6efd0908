import type { Position } from 'geojson';
import type { LatLngTuple, Map as LeafletMap } from 'leaflet';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import coarseUrl from 'world-atlas/countries-110m.json?url';
import fineUrl from 'world-atlas/countries-50m.json?url';
import styles from '../map.module.css';
import { layerGroup, polygon, svg } from './parts.ts';

/** From this zoom on the coarse coasts are visibly wrong. */
const FINE_ZOOM = 5;
const PANE = 'coasts';

type Countries = Topology<{ countries: GeometryCollection }>;

/** Draws coasts and borders, from files that are read when they are shown: no other server is asked. */
export function drawBaseMap(map: LeafletMap): void {
  // Below zones and outlines, whenever it arrives.
  map.createPane(PANE).style.zIndex = '250';
  const renderer = svg({ pane: PANE, padding: 0.4 });
  let shown: 'none' | 'coarse' | 'fine' = 'none';
  const layer = layerGroup().addTo(map);
  let isOpen = true;
  map.on('unload', () => {
    isOpen = false;
  });
  const show = async (detail: 'coarse' | 'fine') => {
    if (shown === 'fine' || shown === detail) return;
    shown = detail;
    const countries = await read(detail === 'fine' ? fineUrl : coarseUrl);
    // Meanwhile the finer one may have been asked for.
    if (countries === undefined || shown !== detail) return;
    if (!isOpen) return;
    layer.clearLayers();
    const className = styles['land'] ?? '';
    const look = { renderer, className, interactive: false, pane: PANE, weight: 1, fillOpacity: 1 };
    for (const land of landsOf(countries)) layer.addLayer(polygon(land, look));
  };
  const choose = () => void show(map.getZoom() >= FINE_ZOOM ? 'fine' : 'coarse');
  map.on('zoomend', choose);
  map.whenReady(choose);
}

/** The rings of each country's areas, as Leaflet takes them: latitude first. */
function landsOf(countries: Countries): readonly LatLngTuple[][][][] {
  return feature(countries, countries.objects.countries).features.flatMap(({ geometry }) => {
    if (geometry.type === 'Polygon') return [[geometry.coordinates.map(cornersOf)]];
    return geometry.type === 'MultiPolygon'
      ? [geometry.coordinates.map((rings) => rings.map(cornersOf))]
      : [];
  });
}

function cornersOf(ring: readonly Position[]): LatLngTuple[] {
  return ring.map(([longitude = 0, latitude = 0]) => [latitude, longitude]);
}

/** Undefined where the file cannot be read: the map is then without coasts, and its pins still stand. */
async function read(url: string): Promise<Countries | undefined> {
  try {
    const response = await fetch(url);
    const body: unknown = response.ok ? await response.json() : undefined;
    return isCountries(body) ? body : undefined;
  } catch {
    return undefined;
  }
}

function isCountries(body: unknown): body is Countries {
  if (typeof body !== 'object' || body === null || !('objects' in body)) return false;
  const { objects } = body;
  return typeof objects === 'object' && objects !== null && 'countries' in objects;
}
