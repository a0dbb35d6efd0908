import {
  HANDLING_OPTIONS,
  PACKAGE_SIZES,
  PRIORITIES,
  RECIPIENT_TYPES,
} from '../../../domain/enumerations.ts';
import type { CellKind } from './cell-values.ts';

/** A column of a shipment spreadsheet. */
export interface Column {
  /** The canonical header, as the template and the export write it. */
  readonly header: string;
  /** Whether each row must have a value; false by default. */
  readonly required?: true;
  /** Other headers that mean this column: French ones and the short English ones. */
  readonly aliases: readonly string[];
  /** Where the value goes in the body of `POST /shipments`. */
  readonly path: readonly string[];
  readonly kind: CellKind;
  /** The words allowed, for `enumeration` and `list`. */
  readonly words?: readonly string[];
  /** What the dispatcher has to write, for the notes of the template and for messages. */
  readonly hint: string;
  /** The cell of the template's example row. */
  readonly example: string | number;
}

/**
 * THE table of the columns of a shipment spreadsheet (interpretation 34): import, template, failed rows and
 * export all read it. The order is that of the template.
 */
export const COLUMNS: readonly Column[] = [
  {
    header: 'recipient_first_name',
    required: true,
    aliases: ['first name', 'prénom'],
    path: ['recipient', 'firstName'],
    kind: 'text',
    hint: 'first name of the recipient',
    example: 'Amina',
  },
  {
    header: 'recipient_last_name',
    aliases: ['last name', 'nom', 'nom de famille'],
    path: ['recipient', 'lastName'],
    kind: 'text',
    hint: 'family name of the recipient',
    example: 'Benali',
  },
  {
    header: 'recipient_phone',
    required: true,
    aliases: [
      'phone',
      'phone number',
      'recipient phone number',
      'téléphone',
      'tél',
      'mobile',
      'portable',
      'numéro de téléphone',
    ],
    path: ['recipient', 'phoneNumber'],
    kind: 'phone',
    hint: 'phone number in international format, for example +213661234567',
    example: '+213661234567',
  },
  {
    header: 'recipient_email',
    aliases: ['email', 'mail', 'courriel', 'adresse email'],
    path: ['recipient', 'email'],
    kind: 'email',
    hint: 'e-mail address of the recipient',
    example: 'amina.benali@example.com',
  },
  {
    header: 'recipient_type',
    aliases: ['type'],
    path: ['recipient', 'type'],
    kind: 'enumeration',
    words: RECIPIENT_TYPES,
    hint: 'kind of recipient',
    example: 'individual',
  },
  {
    header: 'address_street',
    required: true,
    aliases: ['street', 'address', 'adresse', 'rue', 'adresse de livraison'],
    path: ['recipient', 'address', 'street'],
    kind: 'text',
    hint: 'number and street',
    example: '12 rue Didouche Mourad',
  },
  {
    header: 'address_city',
    required: true,
    aliases: ['city', 'ville', 'commune', 'localité', 'ville de livraison'],
    path: ['recipient', 'address', 'city'],
    kind: 'text',
    hint: 'city or municipality',
    example: 'Alger',
  },
  {
    header: 'address_postal_code',
    aliases: ['postal code', 'postcode', 'zip', 'zip code', 'code postal', 'cp'],
    path: ['recipient', 'address', 'postalCode'],
    kind: 'postal_code',
    hint: 'postal code with its leading zeros, in a cell formatted as text',
    example: '16000',
  },
  {
    header: 'address_latitude',
    aliases: ['latitude', 'lat'],
    path: ['recipient', 'address', 'latitude'],
    kind: 'decimal',
    hint: 'degrees north, from -90 to 90',
    example: 36.7729,
  },
  {
    header: 'address_longitude',
    aliases: ['longitude', 'lon', 'lng', 'long'],
    path: ['recipient', 'address', 'longitude'],
    kind: 'decimal',
    hint: 'degrees east, from -180 to 180',
    example: 3.0589,
  },
  {
    header: 'address_landmark',
    aliases: ['landmark', 'repère', 'point de repère'],
    path: ['recipient', 'address', 'landmark'],
    kind: 'text',
    hint: 'what the driver can look for',
    example: 'Près de la Grande Poste',
  },
  {
    header: 'pickup_point',
    aliases: ["point d'enlèvement", 'point de collecte', 'point de ramassage', 'point de retrait'],
    path: ['pickupPoint'],
    kind: 'pickup_point',
    hint: 'code, id or IRI of one of your pickup points; empty for a delivery without pickup',
    example: '',
  },
  {
    header: 'priority',
    aliases: ['priorité'],
    path: ['priority'],
    kind: 'enumeration',
    words: PRIORITIES,
    hint: 'how soon the delivery is due',
    example: 'normal',
  },
  {
    header: 'package_size',
    aliases: ['size', 'taille', 'taille colis', 'taille du colis'],
    path: ['packageSize'],
    kind: 'enumeration',
    words: PACKAGE_SIZES,
    hint: 'size of the package',
    example: 'medium',
  },
  {
    header: 'weight',
    aliases: ['weight kg', 'poids', 'poids kg', 'poids du colis'],
    path: ['weight'],
    kind: 'decimal',
    hint: 'weight in kilograms, from 0 to 1000',
    example: 2.5,
  },
  {
    header: 'cod_amount',
    aliases: [
      'cod',
      'montant',
      'montant cod',
      'montant à encaisser',
      'contre remboursement',
      'montant contre remboursement',
      'montant du contre remboursement',
    ],
    path: ['codAmount'],
    kind: 'money',
    hint: 'amount to collect for the goods, with at most 2 decimals',
    example: 1500,
  },
  {
    header: 'handling_options',
    aliases: ['handling', 'options', 'manutention', 'options de manutention', 'consignes de manutention'],
    path: ['handlingOptions'],
    kind: 'list',
    words: HANDLING_OPTIONS,
    hint: 'one or more, separated by ;',
    example: 'fragile;id_check',
  },
  {
    header: 'notes',
    aliases: ['note', 'remarque', 'remarques', 'commentaire', 'commentaires', 'instructions', 'observations'],
    path: ['notes'],
    kind: 'text',
    hint: 'anything the driver should know',
    example: 'Sonner deux fois',
  },
  {
    header: 'external_reference',
    aliases: [
      'reference',
      'order reference',
      'réf',
      'référence externe',
      'référence commande',
      'numéro de commande',
      'n° de commande',
      'n° commande',
    ],
    path: ['externalReference'],
    kind: 'reference',
    hint: 'your own order number, in a cell formatted as text',
    example: 'ORDER-1001',
  },
  {
    header: 'scheduled_after',
    aliases: ['livrer après', 'livraison après', 'planifié après', 'programmé après', 'pas avant'],
    path: ['scheduledAfter'],
    kind: 'earliest_time',
    hint: "not to be delivered before: 2026-03-12 14:00, in your organization's time zone; empty for as soon as possible",
    example: '',
  },
  {
    header: 'scheduled_before',
    aliases: ['livrer avant', 'livraison avant', 'planifié avant', 'programmé avant', 'au plus tard'],
    path: ['scheduledBefore'],
    kind: 'latest_time',
    hint: 'to be delivered by; a day without a time means until its end; only with scheduled_after',
    example: '',
  },
  {
    header: 'merchant',
    aliases: ['marchand', 'nom du marchand', 'commerçant'],
    path: ['merchant'],
    kind: 'merchant',
    hint: "name, id or IRI of the merchant; empty for the pickup point's, and for your own",
    example: '',
  },
];

/** The header of the messages about failed rows; import leaves this column alone. */
export const ERRORS_HEADER = 'errors';

/**
 * The form in which headers are compared: accents, case, spaces, dashes, stars and what stands in
 * parentheses do not count. `Téléphone *` and `TELEPHONE` are one header.
 */
export function headerKey(header: string): string {
  return header
    .replace(/\([^()]*\)/gu, '')
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}

const COLUMNS_BY_KEY = new Map(
  COLUMNS.flatMap((column) => headersOf(column).map((header) => [headerKey(header), column] as const)),
);

/** Finds a column by any of its headers. */
export function findColumn(header: string): Column | undefined {
  return COLUMNS_BY_KEY.get(headerKey(header));
}

/** All headers that mean a column. Those of the recipient may say so: «nom du destinataire». */
function headersOf({ header, aliases, path }: Column): readonly string[] {
  if (path[0] !== 'recipient') return [header, ...aliases];
  const ofRecipient = ['', ' destinataire', ' de destinataire', ' du destinataire'];
  return [header, ...aliases.flatMap((alias) => ofRecipient.map((suffix) => alias + suffix))];
}
