import type { ShipmentStatus, TaskStatus, TaskType, TimelineEvent } from './enumerations.ts';
import { SHIPMENT_STATUSES, TASK_STATUSES, TASK_TYPES } from './enumerations.ts';

/** What a timeline entry says of a shipment that exists. Its creation is no such entry: the caller has the answer. */
export type EntryKind = Exclude<TimelineEvent, 'created'>;

/** A timeline entry with its shipment, as events know it. */
export interface EventFacts {
  readonly entry: EntryKind;
  readonly shipmentId: string;
  readonly trackingNumber: string;
  readonly externalReference: string | null;
  readonly shipmentStatus: ShipmentStatus;
  /** The task that the entry is about; null where it is about the shipment alone. */
  readonly taskType: TaskType | null;
  readonly taskStatus: TaskStatus | null;
  readonly driverName: string | null;
  /** ISO 8601 with microseconds and offset; strictly increasing per shipment (interpretation 43). */
  readonly updatedAt: string;
}

/** A field of a body: its JSON Schema, for receivers, and its value. */
interface EventField {
  readonly schema: Readonly<Record<string, unknown>>;
  readonly of: (facts: EventFacts) => string | null;
}

/** A kind of event: when it arises, what its body says, and what receivers read about it. */
export interface EventRule {
  readonly kind: string;
  readonly arises: (facts: EventFacts) => boolean;
  /** The body after `event`, in sending order. */
  readonly fields: Readonly<Record<string, EventField>>;
  readonly summary: string;
  /** The rest of a sentence that begins with “Sent to the organization’s webhookUrl”. */
  readonly sent: string;
}

const TEXT = { type: 'string' } as const;
const NULLABLE_TEXT = { type: ['string', 'null'] } as const;

/** Fields that say which shipment an event is about, and how it is now. */
const SHIPMENT_FIELDS = {
  shipmentId: { schema: { ...TEXT, format: 'uuid' }, of: (facts) => facts.shipmentId },
  trackingNumber: { schema: TEXT, of: (facts) => facts.trackingNumber },
  externalReference: { schema: NULLABLE_TEXT, of: (facts) => facts.externalReference },
  status: { schema: { ...TEXT, enum: SHIPMENT_STATUSES }, of: (facts) => facts.shipmentStatus },
} as const satisfies EventRule['fields'];

const UPDATED_AT: EventField = {
  schema: {
    ...TEXT,
    format: 'date-time',
    description: 'With microseconds; increases with each event of a shipment.',
  },
  of: (facts) => facts.updatedAt,
};

/** A task moved by a transition. Its bytes are the contract's and never change. */
const STATUS_CHANGED = {
  kind: 'shipment.status_changed',
  arises: ({ entry }) => entry === 'transition',
  fields: {
    ...SHIPMENT_FIELDS,
    taskType: { schema: { ...TEXT, enum: TASK_TYPES }, of: (facts) => facts.taskType },
    taskStatus: { schema: { ...TEXT, enum: TASK_STATUSES }, of: (facts) => facts.taskStatus },
    driverName: { schema: NULLABLE_TEXT, of: (facts) => facts.driverName },
    updatedAt: UPDATED_AT,
  },
  summary: 'A shipment’s status may have changed',
  sent: 'on every transition of a task',
} as const satisfies EventRule;

/** THE table of webhook events (contract «Events»): what every timeline entry is held against, and `/docs` shows. */
export const WEBHOOK_EVENTS = [STATUS_CHANGED] as const satisfies readonly EventRule[];
export type WebhookEventKind = (typeof WEBHOOK_EVENTS)[number]['kind'];

/** An event with the exact text that is stored, signed and sent. */
export interface EncodedEvent {
  readonly kind: WebhookEventKind;
  readonly body: string;
}

/** The events that a timeline entry causes. */
export function eventsOf(facts: EventFacts): readonly EncodedEvent[] {
  return WEBHOOK_EVENTS.filter(({ arises }) => arises(facts)).map((rule) => ({
    kind: rule.kind,
    body: encodeEvent(rule, facts),
  }));
}

/** Encodes an event once; the bytes are stored, signed and sent unchanged (interpretation 42). */
export function encodeEvent({ kind, fields }: EventRule, facts: EventFacts): string {
  const values = Object.entries(fields).map(([name, { of }]) => [name, of(facts)] as const);
  return JSON.stringify({ event: kind, ...Object.fromEntries(values) });
}

/**
 * A test event: a body of the usual shape, whose ids cannot be mistaken for real ones: the nil UUID (RFC 9562 section 5.9)
 * and a tracking number of a day that does not exist. Each has its own updatedAt, so that receivers do not drop the
 * second as a duplicate.
 */
export function testEvent(trackingPrefix: string, updatedAt: string): EncodedEvent {
  const body = encodeEvent(STATUS_CHANGED, {
    entry: 'transition',
    shipmentId: '00000000-0000-0000-0000-000000000000',
    trackingNumber: `${trackingPrefix}-00000000-TEST00`,
    externalReference: 'webhook-test',
    shipmentStatus: 'pending',
    taskType: 'delivery',
    taskStatus: 'assigned',
    driverName: 'Test Driver',
    updatedAt,
  });
  return { kind: STATUS_CHANGED.kind, body };
}
