import type { DocumentLocale } from './document-data.ts';
import type { NumberStyle } from './document-format.ts';

/** The fixed words of a delivery note. */
const TEXTS = {
  title: { en: 'Delivery note', fr: 'Bon de livraison' },
  titleOfMany: { en: 'Delivery notes', fr: 'Bons de livraison' },
  trackingNumber: { en: 'Tracking number', fr: 'Numéro de suivi' },
  createdAt: { en: 'Created', fr: 'Créé le' },
  reference: { en: 'Reference', fr: 'Référence' },
  priority: { en: 'Priority', fr: 'Priorité' },
  parcel: { en: 'Parcel', fr: 'Colis' },
  driver: { en: 'Driver', fr: 'Livreur' },
  notAssigned: { en: 'Not assigned yet', fr: 'Pas encore attribué' },
  sender: { en: 'Sender', fr: 'Expéditeur' },
  recipient: { en: 'Recipient', fr: 'Destinataire' },
  handling: { en: 'Handling', fr: 'Manutention' },
  notes: { en: 'Notes', fr: 'Remarques' },
  item: { en: 'Item', fr: 'Article' },
  quantity: { en: 'Quantity', fr: 'Quantité' },
  unit: { en: 'Unit', fr: 'Unité' },
  unitPrice: { en: 'Unit price', fr: 'Prix unitaire' },
  lineTotal: { en: 'Amount', fr: 'Montant' },
  noItems: {
    en: 'No items are listed for this shipment.',
    fr: 'Aucun article n’est indiqué pour cet envoi.',
  },
  itemsTotal: { en: 'Items', fr: 'Articles' },
  codAmount: { en: 'Cash on delivery', fr: 'Contre-remboursement' },
  deliveryFee: { en: 'Delivery fee', fr: 'Frais de livraison' },
  deliveryFeePaidBySender: {
    en: 'Delivery fee, paid by the sender',
    fr: 'Frais de livraison, à la charge de l’expéditeur',
  },
  totalToCollect: { en: 'Total to collect', fr: 'Total à encaisser' },
  nothingToCollect: { en: 'Nothing to collect', fr: 'Rien à encaisser' },
  deliveredAt: { en: 'Delivered', fr: 'Livré le' },
  receivedBy: { en: 'Received by', fr: 'Reçu par' },
  receiverName: { en: 'Name', fr: 'Nom' },
  receivedOn: { en: 'Date and time', fr: 'Date et heure' },
  signature: { en: 'Recipient’s signature', fr: 'Signature du destinataire' },
  page: { en: 'Page', fr: 'Page' },
  of: { en: 'of', fr: 'sur' },
} as const satisfies Record<string, Record<DocumentLocale, string>>;

export type TextName = keyof typeof TEXTS;

/** Makes a function that returns the fixed texts in one language. */
export function sayIn(locale: DocumentLocale): (name: TextName) => string {
  return (name) => TEXTS[name][locale];
}

/** The contract's words. A handling option has the shortest word besides, for labels, which carry no language. */
export const WORDS: Readonly<Record<string, Partial<Record<NumberStyle, string>>>> = {
  low: { en: 'Low', fr: 'Basse' },
  normal: { en: 'Normal', fr: 'Normale' },
  high: { en: 'High', fr: 'Haute' },
  urgent: { en: 'Urgent', fr: 'Urgente' },
  small: { en: 'Small', fr: 'Petit' },
  medium: { en: 'Medium', fr: 'Moyen' },
  large: { en: 'Large', fr: 'Grand' },
  extra_large: { en: 'Extra large', fr: 'Très grand' },
  unite: { en: 'unit', fr: 'unité' },
  kg: { en: 'kg', fr: 'kg' },
  litre: { en: 'litre', fr: 'litre' },
  carton: { en: 'carton', fr: 'carton' },
  palette: { en: 'pallet', fr: 'palette' },
  fragile: { en: 'Fragile', fr: 'Fragile', neutral: 'FRAGILE' },
  keep_upright: { en: 'Keep upright', fr: 'Tenir debout', neutral: 'UPRIGHT' },
  refrigerated: { en: 'Refrigerated', fr: 'Réfrigéré', neutral: 'COLD' },
  id_check: { en: 'Check identity', fr: 'Contrôler l’identité', neutral: 'ID' },
  signature_required: { en: 'Signature required', fr: 'Signature exigée', neutral: 'SIGN' },
  do_not_bend: { en: 'Do not bend', fr: 'Ne pas plier', neutral: 'NO BEND' },
};

/** A word of the contract's enumerations as a document prints it; a word without a translation as it is. */
export function translateWord(word: string, style: NumberStyle): string {
  return (Object.hasOwn(WORDS, word) ? WORDS[word]?.[style] : undefined) ?? word;
}
