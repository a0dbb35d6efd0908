/** A place that a geocoder found. */
export interface FoundPlace {
  /** The address in words, as the geocoder writes it. */
  readonly label: string;
  /** Degrees, WGS 84. */
  readonly latitude: number;
  readonly longitude: number;
}

/** A point of the earth: degrees, WGS 84. */
export type Point = Pick<FoundPlace, 'latitude' | 'longitude'>;

/** How one kind of geocoder is asked and what it answers; the rest of its address is the operator's. */
export interface GeocoderForm {
  /** The last part of the address of its search; that of its reverse search is `reverse` at the same place. */
  readonly searchPath: string;
  readonly searchQuery: (text: string, limit: number) => Readonly<Record<string, string>>;
  readonly reverseQuery: (point: Point) => Readonly<Record<string, string>>;
  /** The places in an answer of either search; undefined where it has another form. */
  readonly placesIn: (answer: unknown) => readonly FoundPlace[] | undefined;
}

const MAX_LABEL_CHARACTERS = 255;

/** https://github.com/komoot/photon#search-api: GeoJSON. */
const PHOTON: GeocoderForm = {
  searchPath: 'api',
  searchQuery: (text, limit) => ({ q: text, limit: String(limit) }),
  reverseQuery: ({ latitude, longitude }) => ({ lat: String(latitude), lon: String(longitude) }),
  placesIn: (answer) => {
    const features = memberOf(answer, 'features');
    return Array.isArray(features) ? features.flatMap(ofFeature) : undefined;
  },
};

/** https://nominatim.org/release-docs/latest/api/Search/: a list of places, or one place, or an object with `error`. */
const NOMINATIM: GeocoderForm = {
  searchPath: 'search',
  searchQuery: (text, limit) => ({ q: text, limit: String(limit), format: 'jsonv2' }),
  reverseQuery: ({ latitude, longitude }) => ({
    lat: String(latitude),
    lon: String(longitude),
    format: 'jsonv2',
  }),
  placesIn: (answer) => {
    if (Array.isArray(answer)) return answer.flatMap(ofPlace);
    if (memberOf(answer, 'error') !== undefined) return [];
    return memberOf(answer, 'lat') === undefined ? undefined : ofPlace(answer);
  },
};

const FORMS = [PHOTON, NOMINATIM];
export const GEOCODER_PATHS = FORMS.map(({ searchPath }) => `/${searchPath}`);

/** The form of the geocoder at the address of its search; undefined where the address is none of a known form. */
export function geocoderFormOf(searchUrl: string): GeocoderForm | undefined {
  const url = URL.canParse(searchUrl) ? new URL(searchUrl) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '') return undefined;
  const last = url.pathname.replace(/\/$/, '').split('/').at(-1);
  return FORMS.find(({ searchPath }) => searchPath === last);
}

function ofFeature(feature: unknown): FoundPlace[] {
  const coordinates = memberOf(memberOf(feature, 'geometry'), 'coordinates');
  const [longitude, latitude] = listOf(coordinates);
  const part = (name: string) => textOf(memberOf(memberOf(feature, 'properties'), name));
  const street = [part('housenumber'), part('street')].filter(Boolean).join(' ');
  const town = [part('postcode'), part('city')].filter(Boolean).join(' ');
  const words = [part('name'), street, part('district'), town, part('country')];
  return found(words.filter((word) => word !== '').join(', '), latitude, longitude);
}

function ofPlace(place: unknown): FoundPlace[] {
  return found(
    textOf(memberOf(place, 'display_name')),
    Number(textOf(memberOf(place, 'lat')) || Number.NaN),
    Number(textOf(memberOf(place, 'lon')) || Number.NaN),
  );
}

/** What no map can show is left out. */
function found(label: string, latitude: unknown, longitude: unknown): FoundPlace[] {
  if (typeof latitude !== 'number' || typeof longitude !== 'number' || label === '') return [];
  if (!(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180)) return [];
  return [{ label: Array.from(label).slice(0, MAX_LABEL_CHARACTERS).join(''), latitude, longitude }];
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  const member: unknown = Reflect.get(value, name);
  return member;
}
