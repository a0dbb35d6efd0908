import {
  HANDLING_OPTIONS,
  PACKAGE_SIZES,
  PRIORITIES,
  RECIPIENT_TYPES,
} from '../../../domain/enumerations.ts';

/** How the cells of a column are read; `cell-values.ts` has one reader for each. */
export type CellKind =
  | 'text'
  | 'email'
  | 'reference'
  | 'phone'
  | 'postal_code'
  | 'decimal'
  | 'money'
  | 'enumeration'
  | 'list'
  | 'pickup_point'
  | 'earliest_time'
  | 'latest_time';

export interface Column {
  /** The canonical header, as the template and the export write it. */
  readonly header: string;
  readonly required: boolean;
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
  /** Width in characters when the workbook is opened. */
  readonly width: number;
}

/**
 * THE table of the columns of a shipment spreadsheet (design gap 34): import, template, failed rows and
 * export all read it. The order is that of the template.
 */
export const COLUMNS = [
  {
    header: 'recipient_first_name',
    required: true,
    aliases: ['first name', 'prénom', 'prénom destinataire', 'prénom du destinataire'],
    path: ['recipient', 'firstName'],
    kind: 'text',
    hint: 'first name of the recipient',
    example: 'Amina',
    width: 24,
  },
  {
    header: 'recipient_last_name',
    required: false,
    aliases: [
      'last name',
      'nom',
      'nom de famille',
      'nom destinataire',
      'nom du destinataire',
      'nom de famille du destinataire',
    ],
    path: ['recipient', 'lastName'],
    kind: 'text',
    hint: 'family name of the recipient',
    example: 'Benali',
    width: 23,
  },
  {
    header: 'recipient_phone',
    required: true,
    aliases: [
      'recipient phone number',
      'phone',
      'phone number',
      'téléphone',
      'tél',
      'mobile',
      'portable',
      'numéro de téléphone',
      'téléphone destinataire',
      'téléphone du destinataire',
    ],
    path: ['recipient', 'phoneNumber'],
    kind: 'phone',
    hint: 'phone number in international format, for example +213661234567',
    example: '+213661234567',
    width: 20,
  },
  {
    header: 'recipient_email',
    required: false,
    aliases: [
      'email',
      'mail',
      'courriel',
      'adresse email',
      'email destinataire',
      'email du destinataire',
      'courriel du destinataire',
    ],
    path: ['recipient', 'email'],
    kind: 'email',
    hint: 'e-mail address of the recipient',
    example: 'amina.benali@example.com',
    width: 28,
  },
  {
    header: 'recipient_type',
    required: false,
    aliases: ['type', 'type destinataire', 'type de destinataire'],
    path: ['recipient', 'type'],
    kind: 'enumeration',
    words: RECIPIENT_TYPES,
    hint: 'kind of recipient',
    example: 'individual',
    width: 18,
  },
  {
    header: 'address_street',
    required: true,
    aliases: ['street', 'address', 'adresse', 'rue', 'adresse de livraison', 'adresse du destinataire'],
    path: ['recipient', 'address', 'street'],
    kind: 'text',
    hint: 'number and street',
    example: '12 rue Didouche Mourad',
    width: 34,
  },
  {
    header: 'address_city',
    required: true,
    aliases: ['city', 'ville', 'commune', 'localité', 'ville de livraison'],
    path: ['recipient', 'address', 'city'],
    kind: 'text',
    hint: 'city or municipality',
    example: 'Alger',
    width: 18,
  },
  {
    header: 'address_postal_code',
    required: false,
    aliases: ['postal code', 'postcode', 'zip', 'zip code', 'code postal', 'cp'],
    path: ['recipient', 'address', 'postalCode'],
    kind: 'postal_code',
    hint: 'postal code with its leading zeros, in a cell formatted as text',
    example: '16000',
    width: 23,
  },
  {
    header: 'address_latitude',
    required: false,
    aliases: ['latitude', 'lat'],
    path: ['recipient', 'address', 'latitude'],
    kind: 'decimal',
    hint: 'degrees north, from -90 to 90',
    example: 36.7729,
    width: 19,
  },
  {
    header: 'address_longitude',
    required: false,
    aliases: ['longitude', 'lon', 'lng', 'long'],
    path: ['recipient', 'address', 'longitude'],
    kind: 'decimal',
    hint: 'degrees east, from -180 to 180',
    example: 3.0589,
    width: 20,
  },
  {
    header: 'address_landmark',
    required: false,
    aliases: ['landmark', 'repère', 'point de repère'],
    path: ['recipient', 'address', 'landmark'],
    kind: 'text',
    hint: 'what the driver can look for',
    example: 'Près de la Grande Poste',
    width: 28,
  },
  {
    header: 'pickup_point',
    required: false,
    aliases: ["point d'enlèvement", 'point de collecte', 'point de ramassage', 'point de retrait'],
    path: ['pickupPoint'],
    kind: 'pickup_point',
    hint: 'code, id or IRI of one of your pickup points; empty for a delivery without pickup',
    example: '',
    width: 24,
  },
  {
    header: 'priority',
    required: false,
    aliases: ['priorité'],
    path: ['priority'],
    kind: 'enumeration',
    words: PRIORITIES,
    hint: 'how soon the delivery is due',
    example: 'normal',
    width: 13,
  },
  {
    header: 'package_size',
    required: false,
    aliases: ['size', 'taille', 'taille colis', 'taille du colis'],
    path: ['packageSize'],
    kind: 'enumeration',
    words: PACKAGE_SIZES,
    hint: 'size of the package',
    example: 'medium',
    width: 17,
  },
  {
    header: 'weight',
    required: false,
    aliases: ['weight kg', 'poids', 'poids kg', 'poids du colis'],
    path: ['weight'],
    kind: 'decimal',
    hint: 'weight in kilograms, from 0 to 1000',
    example: 2.5,
    width: 12,
  },
  {
    header: 'cod_amount',
    required: false,
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
    width: 16,
  },
  {
    header: 'handling_options',
    required: false,
    aliases: ['handling', 'options', 'manutention', 'options de manutention', 'consignes de manutention'],
    path: ['handlingOptions'],
    kind: 'list',
    words: HANDLING_OPTIONS,
    hint: 'one or more, separated by ;',
    example: 'fragile;id_check',
    width: 24,
  },
  {
    header: 'notes',
    required: false,
    aliases: ['note', 'remarque', 'remarques', 'commentaire', 'commentaires', 'instructions', 'observations'],
    path: ['notes'],
    kind: 'text',
    hint: 'anything the driver should know',
    example: 'Sonner deux fois',
    width: 32,
  },
  {
    header: 'external_reference',
    required: false,
    aliases: [
      'reference',
      'order reference',
      'référence',
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
    width: 24,
  },
  {
    header: 'scheduled_after',
    required: false,
    aliases: ['livrer après', 'livraison après', 'planifié après', 'programmé après', 'pas avant'],
    path: ['scheduledAfter'],
    kind: 'earliest_time',
    hint: "not to be delivered before: 2026-03-12 14:00, in your organization's time zone; empty for as soon as possible",
    example: '',
    width: 22,
  },
  {
    header: 'scheduled_before',
    required: false,
    aliases: ['livrer avant', 'livraison avant', 'planifié avant', 'programmé avant', 'au plus tard'],
    path: ['scheduledBefore'],
    kind: 'latest_time',
    hint: 'to be delivered by; a day without a time means until its end; only with scheduled_after',
    example: '',
    width: 22,
  },
] as const satisfies readonly Column[];

export type ColumnHeader = (typeof COLUMNS)[number]['header'];
