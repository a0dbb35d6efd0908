import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../parts/button.tsx';
import { CornerFields } from './corner-fields.tsx';
import { areaOf, usePointSights, useZones } from './fleet.ts';
import { MapFrame } from './map-frame.tsx';
import type { MapPort, OutlineChange, Place } from './port.ts';
import { useMap } from './use-map.ts';
import styles from './map.module.css';

interface Props {
  readonly corners: readonly Place[];
  readonly onChange: (corners: readonly Place[]) => void;
}

/** The corners of an area: a click adds one, dragging or the arrow keys move it, Delete removes it. */
export function OutlineEditor({ corners, onChange }: Props) {
  const { t } = useLingui();
  const [map, place] = useMap({
    onClick: (event) => onChange([...corners, event.place]),
    onOutline: (change) => onChange(changed(corners, change)),
  });
  useEffect(() => map?.setOutline(corners), [map, corners]);
  const [first] = useState(corners);
  useBeginning(map, first);
  return (
    <div className={styles['picker']}>
      <div className={styles['pickerMap']}>
        <MapFrame map={map} place={place} label={t`Map of the zone`} />
      </div>
      <p className={styles['quietText']}>
        <Trans>
          Click on the map to add a corner. Drag a corner or move it with the arrow keys; Delete removes it. A
          small point adds a corner between two.
        </Trans>
      </p>
      <Button onClick={() => map && onChange([...corners, map.middle()])}>
        <Trans>Add a corner in the middle of the map</Trans>
      </Button>
      <CornerFields corners={corners} onChange={onChange} />
    </div>
  );
}

function changed(corners: readonly Place[], change: OutlineChange): readonly Place[] {
  if (change.kind === 'move') return corners.with(change.index, change.place);
  if (change.kind === 'remove') return corners.toSpliced(change.index, 1);
  return corners.toSpliced(change.index, 0, change.place);
}

function useBeginning(map: MapPort | undefined, corners: readonly Place[]): void {
  const points = usePointSights();
  const zones = useZones().data;
  const begun = useRef<MapPort>(undefined);
  useEffect(() => map?.setSights(points));
  useEffect(() => {
    if (map === undefined || begun.current === map) return;
    const around = [
      ...points.map((point) => point.place),
      ...(zones ?? []).flatMap((zone) => areaOf(zone).rings.flat()),
    ];
    const shown = corners.length > 0 ? corners : around;
    if (shown.length === 0) return;
    begun.current = map;
    map.fit(shown);
  });
}
