import { useLingui } from '@lingui/react/macro';
import type { Schemas } from '../../shared/client.ts';
import type { FormField, FormValues } from './record/form-field.ts';
import { numberOf, optionalText, textOf } from './record/form-field.ts';

type Address = Schemas['Address'];
type Contact = Schemas['Contact'];

/** The fields of an address and of a contact, as merchants and pickup points have them. */
export function usePlaceFields(isAddressRequired: boolean): readonly FormField[] {
  const { t } = useLingui();
  const address = t`Address`;
  const contact = t`Contact`;
  const isRequired = isAddressRequired;
  return [
    { name: 'address.street', label: t`Street`, group: address, isRequired },
    { name: 'address.city', label: t`City`, group: address, isRequired },
    { name: 'address.postalCode', label: t`Postal code`, group: address },
    { name: 'address.landmark', label: t`Landmark`, group: address },
    { name: 'address', label: t`Place on the map`, kind: 'place', group: address },
    { name: 'contact.name', label: t`Name`, group: contact },
    { name: 'contact.phoneNumber', label: t`Phone`, kind: 'phone', group: contact },
    { name: 'contact.email', label: t`E-mail address`, kind: 'email', group: contact },
  ];
}

export function placeValues(row: {
  readonly address?: Address | null;
  readonly contact?: Contact | null;
}): FormValues {
  const { address, contact } = row;
  return {
    'address.street': address?.street ?? '',
    'address.city': address?.city ?? '',
    'address.postalCode': address?.postalCode ?? '',
    'address.landmark': address?.landmark ?? '',
    'address.latitude': address?.latitude?.toString() ?? '',
    'address.longitude': address?.longitude?.toString() ?? '',
    'contact.name': contact?.name ?? '',
    'contact.phoneNumber': contact?.phoneNumber ?? '',
    'contact.email': contact?.email ?? '',
  };
}

export function addressOf(values: FormValues): Address {
  const degrees = (name: string) => (textOf(values, name) === '' ? null : numberOf(values, name));
  return {
    street: textOf(values, 'address.street'),
    city: textOf(values, 'address.city'),
    postalCode: optionalText(values, 'address.postalCode'),
    landmark: optionalText(values, 'address.landmark'),
    latitude: degrees('address.latitude'),
    longitude: degrees('address.longitude'),
  };
}

/** Null where no field of the group is filled in. */
export function optionalAddress(values: FormValues): Address | null {
  return isEmpty(values, 'address.') ? null : addressOf(values);
}

export function optionalContact(values: FormValues): Contact | null {
  if (isEmpty(values, 'contact.')) return null;
  return {
    name: textOf(values, 'contact.name'),
    phoneNumber: optionalText(values, 'contact.phoneNumber'),
    email: optionalText(values, 'contact.email'),
  };
}

function isEmpty(values: FormValues, prefix: string): boolean {
  return Object.keys(values).every((name) => !name.startsWith(prefix) || textOf(values, name) === '');
}
