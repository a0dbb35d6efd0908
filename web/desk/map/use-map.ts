import { useLingui } from '@lingui/react/macro';
import type { RefCallback } from 'react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useSession } from '../session.tsx';
import { openMap } from './leaflet/leaflet-map.ts';
import type { MapHandlers, MapPort, MapWords } from './port.ts';

/** A map in the element that gets `ref`; undefined until it is there. The handlers may be others at each drawing. */
export function useMap(handlers: MapHandlers): readonly [MapPort | undefined, RefCallback<HTMLDivElement>] {
  const { t } = useLingui();
  const { session } = useSession();
  const [map, setMap] = useState<MapPort>();
  const words: MapWords = {
    place: t`Pin: the arrow keys move it`,
    corner: (number) => t`Corner ${number}: the arrow keys move it, Delete removes it`,
    between: (number) => t`After corner ${number}: Enter adds a corner here`,
  };
  const latest = useRef({ handlers, words });
  useEffect(() => {
    latest.current = { handlers, words };
  });
  const tilesUrl = session.settings.tilesUrl ?? undefined;
  const ref = useCallback(
    (element: HTMLDivElement) => {
      const opened = openMap(element, {
        tilesUrl,
        words: () => latest.current.words,
        handlers: () => latest.current.handlers,
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
