import { useLingui } from '@lingui/react/macro';
import type { ReactNode, RefCallback } from 'react';
import { useSession } from '../session.tsx';
import type { MapPort } from './port.ts';
import styles from './map.module.css';

interface Props {
  readonly map: MapPort | undefined;
  readonly label: string;
  readonly place: RefCallback<HTMLDivElement>;
  /** Further buttons on the map. */
  readonly buttons?: ReactNode;
  /** Over the map, or below it. */
  readonly children?: ReactNode;
}

/** A map with the buttons that every map has, and who made its tiles. */
export function MapFrame({ map, label, place, buttons, children }: Props) {
  const { t } = useLingui();
  const { tilesUrl, tilesAttribution } = useSession().session.settings;
  return (
    <div className={styles['frame']}>
      <div ref={place} className={styles['ground']} role="region" aria-label={label} tabIndex={0} />
      <div className={styles['buttons']} role="group" aria-label={t`Map`}>
        <MapButton label={t`Zoom in`} onClick={() => map?.zoom(1)}>
          +
        </MapButton>
        <MapButton label={t`Zoom out`} onClick={() => map?.zoom(-1)}>
          −
        </MapButton>
        {buttons}
      </div>
      {tilesUrl && tilesAttribution && (
        <bdi className={styles['attribution']} data-attribution="">
          {tilesAttribution}
        </bdi>
      )}
      {children}
    </div>
  );
}

interface ButtonProps {
  readonly label: string;
  readonly isPressed?: boolean;
  readonly onClick: () => void;
  readonly children: ReactNode;
}

/** A sign on the map with its words for readers and as a tip. */
export function MapButton({ label, isPressed, onClick, children }: ButtonProps) {
  return (
    <button
      type="button"
      className={styles['button']}
      aria-label={label}
      aria-pressed={isPressed}
      title={label}
      onClick={onClick}
    >
      <span aria-hidden="true">{children}</span>
    </button>
  );
}
