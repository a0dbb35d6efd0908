import type { DeliveryNoteData, DocumentParty, LabelData } from '../../documents/document-data.ts';
import type { Item } from '../../domain/shipment.ts';

/** The creation date of every document that the tests render. */
export const CREATED_AT = new Date('2026-11-20T09:30:00Z');

export const FRENCH_SENDER = {
  name: 'Épicerie Fine du Marché',
  phoneNumber: '+213 21 63 45 90',
  email: 'bonjour@epicerie.example',
  address: {
    street: '7 place des Martyrs',
    city: 'Alger',
    postalCode: '16001',
    landmark: 'Quai de chargement B',
  },
} as const;

/** Who sends a shipment without a merchant: the organization, by its name alone. */
export const ORGANIZATION_ALONE: DocumentParty = {
  name: 'Atlas Express',
  phoneNumber: null,
  email: null,
  address: null,
};

const SHIPMENT = {
  trackingNumber: 'ACM-20261120-7K3M9Q',
  externalReference: 'CMD-2026-004518',
  organizationName: 'Atlas Express',
  currency: 'DZD',
  codAmountCents: 450000,
  deliveryFeeCents: 35000,
  totalCodToCollectCents: 485000,
  sender: FRENCH_SENDER,
  recipient: {
    name: 'Amélie Benaïssa-Ørsted',
    phoneNumber: '+213 550 12 34 56',
    email: 'amelie@example.org',
    address: {
      street: '24 rue Didouche Mourad, bâtiment C, 3e étage',
      city: 'Alger-Centre',
      postalCode: '16000',
      landmark: 'En face de la pharmacie, interphone 31',
    },
  },
  priority: 'urgent',
  packageSize: 'medium',
  weightGrams: 2_350,
  handlingOptions: ['fragile', 'id_check'],
} as const;

const ITEMS: readonly Item[] = [
  {
    name: 'Huile d’olive vierge extra, bidon de 5 litres',
    sku: 'HO-5L',
    quantity: 2,
    unitType: 'unite',
    unitPriceCents: 145000,
  },
  { name: 'Dattes Deglet Nour', sku: 'DN-1K', quantity: 3, unitType: 'kg', unitPriceCents: 45000 },
  { name: 'Carte de vœux', sku: null, quantity: 1, unitType: 'unite', unitPriceCents: 25000 },
];

/** One ordinary label, with whatever a test changes. */
export function sampleLabel(changes: Partial<LabelData> = {}): LabelData {
  return { ...SHIPMENT, parcelNumber: 1, parcelCount: 2, ...changes };
}

/** One ordinary delivery note, with whatever a test changes. */
export function sampleNote(changes: Partial<DeliveryNoteData> = {}): DeliveryNoteData {
  return {
    ...SHIPMENT,
    createdAt: new Date('2026-11-20T08:15:00Z'),
    timezone: 'Africa/Algiers',
    items: ITEMS,
    notes: 'Appeler avant de passer. Ne pas laisser au gardien.',
    driverName: 'Karim Haddad',
    driverPhoneNumber: '+213 661 98 76 54',
    deliveredAt: null,
    receivedBy: null,
    ...changes,
  };
}

export const ARABIC_RECIPIENT = {
  name: 'محمد الأمين بن عبد الله',
  phoneNumber: '+213 555 01 02 03',
  email: null,
  address: {
    street: 'شارع الاستقلال 12 (Résidence Les Pins)',
    city: 'الجزائر Alger',
    postalCode: '16000',
    landmark: 'بجانب المسجد الكبير',
  },
} as const;

const words = (letters: number, word: string) => `${word} `.repeat(letters).slice(0, letters).trim();

/** Every field at the contract's limit of 255 letters. */
export const LONGEST_RECIPIENT = {
  name: `${words(255, 'Maximiliane')} ${words(255, 'Hohenzollern')}`,
  phoneNumber: '+213 555 01 02 03',
  email: `${'a'.repeat(240)}@example.org`,
  address: {
    street: words(255, 'boulevard'),
    city: words(255, 'Oued'),
    postalCode: '16000-ABCDEF',
    landmark: words(255, 'derrière'),
  },
} as const;

export const ALL_HANDLING_OPTIONS = [
  'fragile',
  'id_check',
  'signature_required',
  'keep_upright',
  'refrigerated',
  'do_not_bend',
] as const;
