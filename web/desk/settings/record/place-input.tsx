import { Trans } from '@lingui/react/macro';
import { readDegrees } from '../../map/degrees.ts';
import { PlacePicker } from '../../map/place-picker.tsx';
import { Button } from '../../parts/button.tsx';
import type { FormValues } from './form-field.ts';
import { textOf } from './form-field.ts';

interface Props {
  readonly name: string;
  readonly label: string;
  readonly values: FormValues;
  readonly onChange: (values: FormValues) => void;
  readonly errorOf: (propertyPath: string) => string | undefined;
}

/** The coordinates of a form's address: a pin, an address that is searched, or numbers. */
export default function PlaceInput({ name, label, values, onChange, errorOf }: Props) {
  const at = (part: string) => `${name}.${part}`;
  const latitude = readDegrees(textOf(values, at('latitude')), 90);
  const longitude = readDegrees(textOf(values, at('longitude')), 180);
  const value = latitude === undefined || longitude === undefined ? undefined : { latitude, longitude };
  const address = ['street', 'postalCode', 'city'].map((part) => textOf(values, at(part)));
  const set = (place: { readonly latitude: number; readonly longitude: number } | undefined) =>
    onChange({
      ...values,
      [at('latitude')]: place === undefined ? '' : String(place.latitude),
      [at('longitude')]: place === undefined ? '' : String(place.longitude),
    });
  return (
    <div role="group" aria-label={label}>
      <PlacePicker
        value={value}
        onChange={set}
        address={address.filter((part) => part !== '').join(', ')}
        latitudeError={errorOf(at('latitude'))}
        longitudeError={errorOf(at('longitude'))}
      />
      {value !== undefined && (
        <Button kind="quiet" onClick={() => set(undefined)}>
          <Trans>Remove the place</Trans>
        </Button>
      )}
    </div>
  );
}
