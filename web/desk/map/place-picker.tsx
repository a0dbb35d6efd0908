import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect, useRef } from 'react';
import { Button } from '../parts/button.tsx';
import { DegreeFields } from './degree-fields.tsx';
import { areaOf, usePointSights, useZones } from './fleet.ts';
import { MapFrame } from './map-frame.tsx';
import { PlaceSearch } from './place-search.tsx';
import type { MapPort, Place } from './port.ts';
import { useMap } from './use-map.ts';
import styles from './map.module.css';

/** Near enough to see house numbers where there are tiles. */
const HOUSE_ZOOM = 16;

interface Props {
  readonly value: Place | undefined;
  readonly onChange: (place: Place) => void;
  /** What the geocoder is asked for at first: the address as it is written. */
  readonly address: string;
  readonly latitudeError?: string | undefined;
  readonly longitudeError?: string | undefined;
}

/** A place by a pin on the map, by mouse or arrow keys, by a search where the operator has set a geocoder, or typed. */
export function PlacePicker({ value, onChange, address, latitudeError, longitudeError }: Props) {
  const { t } = useLingui();
  const [map, place] = useMap({
    onClick: (event) => onChange(event.place),
    onPlace: onChange,
  });
  useEffect(() => map?.setPlace(value), [map, value]);
  useSurroundings(map, value);
  const find = (found: Place) => {
    onChange(found);
    map?.center(found, HOUSE_ZOOM);
  };
  return (
    <div className={styles['picker']}>
      <PlaceSearch address={address} onFind={find} />
      <div className={styles['pickerMap']}>
        <MapFrame map={map} place={place} label={t`Map of the place`} />
      </div>
      <p className={styles['quietText']}>
        {value === undefined ? (
          <Trans>Click where it is, or put a pin in the middle of the map.</Trans>
        ) : (
          <Trans>Drag the pin, or move it with the arrow keys (Shift: in small steps).</Trans>
        )}
      </p>
      {value === undefined && (
        <Button onClick={() => map && onChange(map.middle())}>
          <Trans>Put a pin in the middle</Trans>
        </Button>
      )}
      <DegreeFields
        value={value}
        onChange={find}
        latitudeError={latitudeError}
        longitudeError={longitudeError}
      />
    </div>
  );
}

/** Zones and pickup points help to find one's way; the map begins at the place, or where the organization works. */
function useSurroundings(map: MapPort | undefined, value: Place | undefined): void {
  const zones = useZones().data;
  const points = usePointSights();
  const begun = useRef<MapPort>(undefined);
  useEffect(() => map?.setSights(points));
  useEffect(() => map?.setAreas((zones ?? []).map(areaOf)), [map, zones]);
  useEffect(() => {
    if (map === undefined || begun.current === map) return;
    const around = [
      ...points.map((point) => point.place),
      ...(zones ?? []).flatMap((zone) => areaOf(zone).rings.flat()),
    ];
    if (value === undefined && around.length === 0) return;
    begun.current = map;
    if (value === undefined) map.fit(around);
    else map.center(value, HOUSE_ZOOM);
  });
}
