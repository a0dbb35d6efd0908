import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { TextField } from '../parts/fields.tsx';
import { readDegrees } from './degrees.ts';
import type { Place } from './port.ts';
import styles from './map.module.css';

interface Props {
  readonly value: Place | undefined;
  readonly onChange: (place: Place) => void;
  readonly latitudeError?: string | undefined;
  readonly longitudeError?: string | undefined;
}

/** The coordinates as text. A text that is no place yet changes nothing. */
export function DegreeFields({ value, onChange, latitudeError, longitudeError }: Props) {
  const { t } = useLingui();
  const [typed, setTyped] = useState<{ of: Place | undefined; latitude: string; longitude: string }>();
  const shown =
    typed?.of === value && typed !== undefined
      ? typed
      : { latitude: textOf(value?.latitude), longitude: textOf(value?.longitude) };
  const type = (change: Partial<{ latitude: string; longitude: string }>) => {
    const next = { latitude: shown.latitude, longitude: shown.longitude, ...change };
    const latitude = readDegrees(next.latitude, 90);
    const longitude = readDegrees(next.longitude, 180);
    if (latitude === undefined || longitude === undefined) {
      setTyped({ of: value, ...next });
      return;
    }
    const place = { latitude, longitude };
    setTyped({ of: place, ...next });
    onChange(place);
  };
  const fault = (text: string, maximum: number) =>
    text !== '' && readDegrees(text, maximum) === undefined
      ? t`A number from ${-maximum} to ${maximum}`
      : undefined;
  return (
    <div className={styles['fields']}>
      <TextField
        label={t`Latitude`}
        value={shown.latitude}
        onChange={(latitude) => type({ latitude })}
        error={fault(shown.latitude, 90) ?? latitudeError}
        inputMode="decimal"
        dir="ltr"
      />
      <TextField
        label={t`Longitude`}
        value={shown.longitude}
        onChange={(longitude) => type({ longitude })}
        error={fault(shown.longitude, 180) ?? longitudeError}
        inputMode="decimal"
        dir="ltr"
      />
    </div>
  );
}

function textOf(degrees: number | undefined): string {
  return degrees === undefined ? '' : String(degrees);
}
