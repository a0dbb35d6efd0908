import type { DocumentLocale } from './document-data.ts';

/** The fixed words of a delivery note in one language. */
export interface DeliveryNoteTexts {
  readonly title: string;
  readonly titleOfMany: string;
  readonly trackingNumber: string;
  readonly createdAt: string;
  readonly reference: string;
  readonly priority: string;
  readonly parcel: string;
  readonly driver: string;
  readonly notAssigned: string;
  readonly sender: string;
  readonly recipient: string;
  readonly handling: string;
  readonly notes: string;
  readonly item: string;
  readonly quantity: string;
  readonly unit: string;
  readonly unitPrice: string;
  readonly lineTotal: string;
  readonly noItems: string;
  readonly itemsTotal: string;
  readonly codAmount: string;
  readonly deliveryFee: string;
  readonly deliveryFeePaidBySender: string;
  readonly totalToCollect: string;
  readonly nothingToCollect: string;
  readonly deliveredAt: string;
  readonly receivedBy: string;
  readonly receiverName: string;
  readonly receivedOn: string;
  readonly signature: string;
  readonly page: (page: number, pageCount: number) => string;
  /** The contract's enumerations in words; what is missing is printed as it is. */
  readonly words: Readonly<Record<string, string>>;
}

/** All fixed words, by language. */
export const DELIVERY_NOTE_TEXTS = {
  en: {
    title: 'Delivery note',
    titleOfMany: 'Delivery notes',
    trackingNumber: 'Tracking number',
    createdAt: 'Created',
    reference: 'Reference',
    priority: 'Priority',
    parcel: 'Parcel',
    driver: 'Driver',
    notAssigned: 'Not assigned yet',
    sender: 'Sender',
    recipient: 'Recipient',
    handling: 'Handling',
    notes: 'Notes',
    item: 'Item',
    quantity: 'Quantity',
    unit: 'Unit',
    unitPrice: 'Unit price',
    lineTotal: 'Amount',
    noItems: 'No items are listed for this shipment.',
    itemsTotal: 'Items',
    codAmount: 'Cash on delivery',
    deliveryFee: 'Delivery fee',
    deliveryFeePaidBySender: 'Delivery fee, paid by the sender',
    totalToCollect: 'Total to collect',
    nothingToCollect: 'Nothing to collect',
    deliveredAt: 'Delivered',
    receivedBy: 'Received by',
    receiverName: 'Name',
    receivedOn: 'Date and time',
    signature: 'Recipient’s signature',
    page: (page, pageCount) => `Page ${page} of ${pageCount}`,
    words: {
      low: 'Low',
      normal: 'Normal',
      high: 'High',
      urgent: 'Urgent',
      small: 'Small',
      medium: 'Medium',
      large: 'Large',
      extra_large: 'Extra large',
      unite: 'unit',
      kg: 'kg',
      litre: 'litre',
      carton: 'carton',
      palette: 'pallet',
    },
  },
  fr: {
    title: 'Bon de livraison',
    titleOfMany: 'Bons de livraison',
    trackingNumber: 'Numéro de suivi',
    createdAt: 'Créé le',
    reference: 'Référence',
    priority: 'Priorité',
    parcel: 'Colis',
    driver: 'Livreur',
    notAssigned: 'Pas encore attribué',
    sender: 'Expéditeur',
    recipient: 'Destinataire',
    handling: 'Manutention',
    notes: 'Remarques',
    item: 'Article',
    quantity: 'Quantité',
    unit: 'Unité',
    unitPrice: 'Prix unitaire',
    lineTotal: 'Montant',
    noItems: 'Aucun article n’est indiqué pour cet envoi.',
    itemsTotal: 'Articles',
    codAmount: 'Contre-remboursement',
    deliveryFee: 'Frais de livraison',
    deliveryFeePaidBySender: 'Frais de livraison, à la charge de l’expéditeur',
    totalToCollect: 'Total à encaisser',
    nothingToCollect: 'Rien à encaisser',
    deliveredAt: 'Livré le',
    receivedBy: 'Reçu par',
    receiverName: 'Nom',
    receivedOn: 'Date et heure',
    signature: 'Signature du destinataire',
    page: (page, pageCount) => `Page ${page} sur ${pageCount}`,
    words: {
      low: 'Basse',
      normal: 'Normale',
      high: 'Haute',
      urgent: 'Urgente',
      small: 'Petit',
      medium: 'Moyen',
      large: 'Grand',
      extra_large: 'Très grand',
      unite: 'unité',
      kg: 'kg',
      litre: 'litre',
      carton: 'carton',
      palette: 'palette',
    },
  },
} as const satisfies Record<DocumentLocale, DeliveryNoteTexts>;

/** A word of the contract's enumerations in the note's language. */
export function translateWord(texts: DeliveryNoteTexts, word: string): string {
  return (Object.hasOwn(texts.words, word) ? texts.words[word] : undefined) ?? word;
}
