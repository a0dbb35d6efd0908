import type { Address, Recipient } from './shipment.ts';

/** Whose data the service keeps. A contact is a person of a place: a merchant's, a pickup point's, or that of one task. */
export const PEOPLE = ['recipient', 'contact', 'driver', 'user'] as const;
export type Person = (typeof PEOPLE)[number];

/** What stands where a name, a street or a city stood. */
export const ERASED_TEXT = 'Erased';
/** Has the form of a phone number. No country has the code 999. */
export const ERASED_PHONE_NUMBER = '+9990000000';
export const ERASED_ADDRESS: Address = {
  street: ERASED_TEXT,
  city: ERASED_TEXT,
  postalCode: null,
  latitude: null,
  longitude: null,
  landmark: null,
};
export const ERASED_RECIPIENT: Recipient = {
  type: 'individual',
  firstName: ERASED_TEXT,
  lastName: null,
  phoneNumber: ERASED_PHONE_NUMBER,
  email: null,
  address: ERASED_ADDRESS,
};

/** A table that holds data of people. */
export interface PersonalTable {
  /** Its columns that do, by whose they are. */
  readonly personal: Readonly<Partial<Record<Person, readonly string[]>>>;
  /** Its other columns of text, JSON, bytes and coordinates: words of the contract, amounts, ids, digests of secrets. */
  readonly other: readonly string[];
  /** What the data is for, how long it is kept, and what an erasure does to it, as docs/privacy.md says it. */
  readonly purpose: string;
  readonly kept: string;
  readonly erasure: string;
}

const WITH_SHIPMENT = 'with the shipment';
const EMPTIED = 'emptied';

/**
 * THE table of personal data: what each table holds of whom, and what an erasure does there (decision 0045). docs/privacy.md shows it,
 * store/people/ acts by it, and a test holds it to the database: a new column has to be entered here.
 */
export const PERSONAL_TABLES = {
  shipments: {
    personal: {
      recipient: ['recipient', 'pickup_address', 'items', 'notes', 'external_reference', 'search_text'],
    },
    other: [
      ...['tracking_number', 'source', 'status', 'priority', 'package_size', 'currency', 'fee_breakdown'],
      ...['fee_payer', 'handling_options'],
    ],
    purpose: 'to deliver the parcel, and to show what was delivered and collected',
    kept: 'until an erasure',
    erasure:
      'placeholders for names, phone number, addresses and what was in the parcel; amounts, dates and status stay',
  },
  tasks: {
    personal: {
      recipient: ['address', 'contact', 'failure_comment', 'notes', 'proof'],
      contact: ['address', 'contact'],
    },
    other: ['type', 'status', 'failure_reason'],
    purpose: 'to tell the driver where and to whom',
    kept: WITH_SHIPMENT,
    erasure: 'placeholders for addresses; contacts, comments, notes and proofs are removed',
  },
  timeline_entries: {
    personal: { recipient: ['comment'] },
    other: ['kind', 'shipment_status', 'task_type', 'task_status', 'transition', 'reason'],
    purpose: 'to show what happened to the parcel',
    kept: `${WITH_SHIPMENT}, or \`TIMELINE_RETENTION_DAYS\``,
    erasure: 'comments are removed',
  },
  commands: {
    personal: { recipient: ['request', 'trace_context'], contact: ['request', 'trace_context'] },
    other: ['kind', 'status', 'problem', 'result', 'failure'],
    purpose: 'to decide each request once, also after a crash',
    kept: `${WITH_SHIPMENT}, or \`COMMAND_RETENTION_DAYS\``,
    erasure: 'comments, proofs, addresses, contacts and what the caller added to the trace are removed',
  },
  external_intakes: {
    personal: { recipient: ['request', 'trace_context'] },
    other: ['tracking_number', 'status'],
    purpose: 'to create the shipment that a shop asked for',
    kept: WITH_SHIPMENT,
    erasure: 'as the shipment',
  },
  webhook_events: {
    personal: { recipient: ['body', 'trace_context'], driver: ['body', 'trace_context'] },
    other: ['kind', 'task_status', 'event_updated_at', 'status'],
    purpose: 'to send the same bytes at each attempt',
    kept: `${WITH_SHIPMENT}, or \`WEBHOOK_RETENTION_DAYS\` once delivered`,
    erasure: 'the order reference or the driver’s name is removed; the event can no longer be replayed',
  },
  idempotency_keys: {
    personal: Object.fromEntries(PEOPLE.map((person) => [person, ['response_headers', 'response_body']])),
    other: ['actor', 'method', 'path', 'key', 'fingerprint'],
    purpose: 'to give a repeated request its first answer',
    kept: '24 hours; a transition’s `TRANSITION_KEY_DAYS`',
    erasure: `answers that name the person are ${EMPTIED}; a repeat gets the record as it is now`,
  },
  imports: {
    personal: { recipient: ['file_name', 'errors', 'warnings', 'warning_messages'] },
    other: ['status', 'problem'],
    purpose: 'to show what became of a workbook',
    kept: 'a day',
    erasure: `those of the organization are ${EMPTIED}, since a failed row cannot be searched for a person`,
  },
  failed_imports: {
    personal: { recipient: ['workbook'] },
    other: [],
    purpose: 'to give failed rows back to be corrected',
    kept: 'a day',
    erasure: 'those of the organization are deleted, for the same reason',
  },
  remembered_places: {
    personal: { recipient: ['place_key', 'latitude', 'longitude'] },
    other: [],
    purpose: 'to find the recipient’s door again',
    kept: '365 days',
    erasure: 'deleted, for the phone number and the addresses of the erased shipments',
  },
  merchants: {
    personal: { contact: ['contact'] },
    other: ['name', 'address', 'fee_payer'],
    purpose: 'whom to ask at a merchant',
    kept: 'until it is edited or erased',
    erasure: 'the contact is removed',
  },
  pickup_points: {
    personal: { contact: ['contact'] },
    other: ['name', 'code', 'address', 'opening_hours'],
    purpose: 'whom to ask at a pickup point',
    kept: 'until it is edited or erased',
    erasure: 'the contact is removed',
  },
  drivers: {
    personal: { driver: ['first_name', 'last_name', 'phone_number', 'vehicle_type', 'last_position'] },
    other: [],
    purpose: 'to give tasks to drivers and to reach them',
    kept: 'until an erasure, also after a deletion',
    erasure: 'deleted where it was not, with placeholders for name and phone number',
  },
  driver_positions: {
    personal: { driver: ['latitude', 'longitude', 'accuracy', 'heading', 'speed'] },
    other: [],
    purpose: 'to see where a parcel is',
    kept: 'until an erasure',
    erasure: 'deleted',
  },
  delivery_runs: {
    personal: { driver: ['name'] },
    other: ['reference', 'planning_status'],
    purpose: 'to plan a tour; its name may be the driver’s',
    kept: 'until an erasure',
    erasure: 'the names of the driver’s runs are removed',
  },
  users: {
    personal: { user: ['email', 'password_hash', 'first_name', 'last_name', 'language'] },
    other: ['role'],
    purpose: 'to sign in, and to show who did what',
    kept: 'until an erasure, also after a deletion',
    erasure: 'deleted where it was not, with placeholders for name and e-mail address',
  },
  sessions: {
    personal: { user: ['address', 'user_agent'] },
    other: ['revoked_because', 'cookie_hash'],
    purpose: 'to show a user where it is signed in',
    kept: 'until the session’s end, 90 days at most unless set otherwise',
    erasure: 'deleted',
  },
  second_factors: {
    personal: { user: ['secret'] },
    other: [],
    purpose: 'to ask for the code of the user’s phone at the sign-in; its recovery codes are kept as digests',
    kept: 'until the user removes it, or an erasure',
    erasure: 'deleted',
  },
  rate_windows: {
    personal: { user: ['subject'] },
    other: ['hits'],
    purpose:
      'to limit guesses of passwords by network and e-mail address, and visits of tracking links by network address',
    kept: 'an hour after the last one, of wrong codes a day',
    erasure: 'deleted',
  },
  audit_events: {
    personal: { user: ['address'] },
    other: ['kind', 'actor', 'operation', 'subject_kind', 'fields'],
    purpose: 'to show an auditor who did what',
    kept: '`AUDIT_RETENTION_DAYS`; 90 days at least',
    erasure: 'stays: it has the user’s id and network address, and neither name nor e-mail address',
  },
} as const satisfies Readonly<Record<string, PersonalTable>>;

/** Tables without data of people, with their columns of text, JSON, bytes and coordinates. */
export const IMPERSONAL_TABLES: Readonly<Record<string, readonly string[]>> = {
  organizations: [
    ...['name', 'plan', 'tracking_prefix', 'currency', 'timezone', 'tariff', 'deadline_hours', 'webhook_url'],
    ...['webhook_secret', 'next_webhook_secret', 'api_key_hash', 'api_key_prefix', 'previous_api_key_hash'],
    'suspended_because',
  ],
  zones: ['name', 'polygon'],
  refresh_tokens: ['token_hash', 'given_for'],
  recovery_codes: ['code_hash'],
  request_budgets: ['subject', 'moments', 'units'],
  shipment_totals: ['status'],
  shipment_total_changes: ['status'],
  tracking_numbers: ['tracking_number'],
  webhook_attempts: ['url', 'error'],
  webhook_endpoints: ['url', 'leases'],
  changes: ['kind'],
  migrations: ['name', 'digest'],
};

export type PersonalTableName = keyof typeof PERSONAL_TABLES;
const isName = (name: string): name is PersonalTableName => Object.hasOwn(PERSONAL_TABLES, name);
export const PERSONAL_TABLE_NAMES: readonly PersonalTableName[] = Object.keys(PERSONAL_TABLES).filter(isName);

/** The columns of a table that hold data of a kind of person; none where it holds none of it. */
export function personalColumns(name: PersonalTableName, person: Person): readonly string[] {
  const { personal }: PersonalTable = PERSONAL_TABLES[name];
  return personal[person] ?? [];
}
