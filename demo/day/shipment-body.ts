import { formatAmount } from '../../domain/money.ts';
import type { Choices } from '../choices.ts';
import {
  NAMES,
  PHONE_PREFIXES,
  type Area,
  type Place,
  type World,
  type WorldMerchant,
} from '../world/world.ts';
import type { Window } from './windows.ts';

/** A recipient's address as the API takes it; latitude and longitude come together or not at all. */
export interface BodyAddress {
  readonly street: string;
  readonly city: string;
  readonly postalCode: string;
  readonly landmark?: string;
  readonly latitude?: number;
  readonly longitude?: number;
}

/** A body of `POST /shipments` without the IRIs of merchant and pickup point, which are known when it is sent. */
export interface ShipmentBody extends Window {
  readonly externalReference: string;
  readonly recipient: {
    readonly firstName: string;
    readonly lastName: string;
    readonly phoneNumber: string;
    readonly address: BodyAddress;
  };
  readonly priority: 'low' | 'normal' | 'high' | 'urgent';
  readonly packageSize: 'small' | 'medium' | 'large';
  readonly weight: number;
  readonly codAmount: string;
  readonly handlingOptions: readonly string[];
  readonly items: readonly object[];
  readonly notes?: string;
}

/** What of a shipment is decided before its body is made. */
export interface Parcel {
  readonly index: number;
  readonly area: Area;
  readonly place: Place;
  readonly merchant: WorldMerchant;
  readonly hasPin: boolean;
  readonly window: Window;
}

const FIRST_REFERENCE = 4_001;
/** Some ninety metres: houses of a street do not stand on one point. */
const SPREAD_DEGREES = 0.0016;
const PRIORITIES = [
  ...Array.from({ length: 12 }, () => 'normal' as const),
  ...(['high', 'high', 'urgent', 'low'] as const),
];
const SIZES = ['small', 'small', 'medium', 'medium', 'large'] as const;
const HANDLING = [
  ['fragile'],
  ['fragile', 'keep_upright'],
  ['signature_required'],
  ['refrigerated'],
] as const;
const NOTES = {
  latin: [
    'Sonner deux fois.',
    'Appeler avant de passer.',
    'Laisser chez le gardien.',
    'Sortie d’école à 16 h 30.',
  ],
  arabic: ['اتصل قبل الوصول من فضلك', 'الطابق الثالث، الباب الأيسر', 'التسليم بعد الظهر فقط'],
} as const;
/** Estates and suburbs have blocks, not house numbers. */
const WITHOUT_HOUSE_NUMBER = /^(?:cité|Les |route )/;

/** Makes the body of a shipment. It is the same each time: of the same choices, in the same order. */
export function shipmentBody(world: World, parcel: Parcel, choices: Choices): ShipmentBody {
  const { index, area, place, merchant, hasPin, window } = parcel;
  const isArabic = place.arabic !== undefined && choices.happens(0.7);
  const latinNames = area === 'paris' ? 'paris' : 'maghreb';
  const names = NAMES[isArabic || choices.happens(0.06) ? 'arabic' : latinNames];
  const items = choices
    .shuffled(merchant.goods)
    .slice(0, choices.whole(1, 2))
    .map(([name, price]) => ({ name, quantity: choices.whole(1, 2), unitCents: unitCents(world, price) }));
  const sumCents = items.reduce((sum, item) => sum + item.quantity * item.unitCents, 0);
  const notes = choices.happens(0.25) ? choices.oneOf(NOTES[isArabic ? 'arabic' : 'latin']) : undefined;
  return {
    externalReference: referenceOf(index),
    recipient: {
      firstName: choices.oneOf(names.first),
      lastName: choices.oneOf(names.last),
      phoneNumber: `${PHONE_PREFIXES[area]}${String((index * 37 + 1_000) % 10_000).padStart(4, '0')}`,
      address: addressOf(place, isArabic, hasPin, choices),
    },
    priority: choices.oneOf(PRIORITIES),
    packageSize: choices.oneOf(SIZES),
    weight: choices.whole(3, 90) / 10,
    codAmount: formatAmount(choices.happens(0.75) ? sumCents : 0),
    handlingOptions: choices.happens(0.2) ? choices.oneOf(HANDLING) : [],
    items: items.map(({ unitCents: cents, ...item }) => ({ ...item, unitPrice: formatAmount(cents) })),
    ...(notes === undefined ? {} : { notes }),
    ...window,
  };
}

/** The shop's own number of an order, unique in an organization. */
export function referenceOf(index: number): string {
  return `CMD-${FIRST_REFERENCE + index}`;
}

/** Euros end in 90 cents, dinars have none. */
function unitCents({ currency }: World, price: number): number {
  return price * 100 - (currency === 'EUR' ? 10 : 0);
}

function addressOf(place: Place, isArabic: boolean, hasPin: boolean, choices: Choices): BodyAddress {
  const { street, city, postalCode, arabic } = place;
  const number = choices.whole(1, 140);
  const shift = (): number => (choices.fraction() - 0.5) * SPREAD_DEGREES;
  const rounded = (degrees: number): number => Math.round(degrees * 1e6) / 1e6;
  const point = {
    latitude: rounded(place.latitude + shift()),
    longitude: rounded(place.longitude + shift()),
  };
  const latin = {
    street: WITHOUT_HOUSE_NUMBER.test(street) ? `${street}, nº ${number}` : `${number} ${street}`,
    city,
  };
  const text =
    isArabic && arabic !== undefined ? { street: `${arabic.street} ${number}`, city: arabic.city } : latin;
  const landmark = isArabic ? arabic?.landmark : place.landmark;
  return {
    ...text,
    postalCode,
    ...(landmark === undefined ? {} : { landmark }),
    ...(hasPin ? point : {}),
  };
}
