import type { Address } from './shipment.ts';

/** What says whose door a place is: the phone number of who lives there, and the address in words. */
export type PlaceName = Pick<Address, 'street' | 'city'> & { readonly phoneNumber: string };

/** How long a place is remembered after it was set. */
export const PLACE_LIFETIME_DAYS = 365;
/** Places of an organization that are remembered: the ones that were set last. */
export const MAX_PLACES = 50_000;

/**
 * The form in which the names of places are compared: letter case, accents, punctuation and the width of spaces do not count.
 * `12, Rue Didouche-Mourad` and `12 rue didouche mourad` are one street.
 */
export function placeName({ phoneNumber, street, city }: PlaceName): string {
  return [phoneNumber, plainWords(street), plainWords(city)].join('\n');
}

function plainWords(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** Whether an edit of an address sets its coordinates or takes them away. */
export function isPinMoved(before: Address, after: Address): boolean {
  return before.latitude !== after.latitude || before.longitude !== after.longitude;
}
