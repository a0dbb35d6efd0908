import { useLingui } from '@lingui/react/macro';
import type { RefCallback } from 'react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useSession } from '../session.tsx';
import { openMap } from './leaflet/leaflet-map.ts';
import type { MapHandlers, MapPort } from './port.ts';

/** A map in the element that gets `ref`; undefined until it is there. The handlers may be others at each drawing. */
export function useMap(handlers: MapHandlers): readonly [MapPort | undefined, RefCallback<HTMLDivElement>] {
  const { t } = useLingui();
  const { session } = useSession();
  const [map, setMap] = useState<MapPort>();
  const latest = useRef(handlers);
  const say = useRef(t);
  useEffect(() => {
    latest.current = handlers;
    say.current = t;
  });
  const tilesUrl = session.settings.tilesUrl ?? undefined;
  const ref = useCallback(
    (element: HTMLDivElement) => {
      const opened = openMap(element, {
        tilesUrl,
        words: {
          place: say.current`Pin: the arrow keys move it`,
          corner: (number) => say.current`Corner ${number}: the arrow keys move it, Delete removes it`,
          between: (number) => say.current`After corner ${number}: Enter adds a corner here`,
        },
        handlers: () => latest.current,
      });
      setMap(opened);
      return () => {
        setMap(undefined);
        opened.close();
      };
    },
    [tilesUrl],
  );
  return [map, ref];
}
