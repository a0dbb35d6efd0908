import type { Person, PersonalTableName } from '../../domain/personal-data.ts';
import {
  PERSONAL_TABLE_NAMES,
  ERASED_ADDRESS,
  ERASED_PHONE_NUMBER,
  ERASED_RECIPIENT,
  ERASED_TEXT,
} from '../../domain/personal-data.ts';
import { TERMINAL_SHIPMENT_STATUSES } from '../../domain/shipment-status.ts';

/** How the rows of a table that hold data of a person are found, and what an erasure does to them. `t` is the row, `p` the scope. */
export interface PersonRows {
  readonly where: string;
  /** The columns that are replaced; `stays` for rows that an erasure leaves; otherwise rows are deleted. */
  readonly set?: Readonly<Record<string, string>> | 'stays';
  /** Which of the rows are still to be erased, for tables with many: they are worked off in batches. */
  readonly left?: string;
}

const NOW = 'clock_timestamp()';
const CHANGED = { version: 't.version + 1', updated_at: NOW };
const PLACE = `'${JSON.stringify(ERASED_ADDRESS)}'::jsonb`;
const NAME = `'${ERASED_TEXT}'`;
/** Names of things may name people; what was paid for them stays. */
const itemsOf = (items: string) => `coalesce((
  select jsonb_agg(i.item || '{"name": "${ERASED_TEXT}", "sku": null}' order by i.place)
  from jsonb_array_elements(${items}) with ordinality as i (item, place)), '[]')`;
const ifThere = (value: string, erased: string) => `case when ${value} is not null then ${erased} end`;
const bodyWith = (fields: string) => ({
  body: `convert_to((convert_from(t.body, 'UTF8')::jsonb || ${fields})::text, 'UTF8')`,
  trace_context: 'null',
  erased_at: NOW,
});
/** Answers are found by the ids, numbers and names in them. A repeat makes the answer again, for the effect that is there. */
const ANSWERS = {
  where: `t.organization_id = p.organization_id and t.response_body like any (p.patterns)`,
  set: { response_status: 'null', response_headers: 'null', response_body: 'null', claimed_until: NOW },
};
const OF_CONTACT = (contact: string) =>
  `(${contact}->>'phoneNumber' = p.phone_number or lower(${contact}->>'email') = p.email)`;
const HAS_ENDED = `exists (select from shipments s where s.id = t.shipment_id
  and (s.deleted_at is not null or s.status in (${TERMINAL_SHIPMENT_STATUSES.map((status) => `'${status}'`).join(', ')})))`;
const CONTACT_OF_ORGANIZATION = {
  where: `t.organization_id = p.organization_id and ${OF_CONTACT('t.contact')}`,
  set: { contact: 'null', ...CHANGED },
};
const OF_ENTRY = `exists (select from timeline_entries e
  where e.shipment_id = t.shipment_id and e.sequence = t.sequence and e.driver_id = any (p.driver_ids))`;
/** Where the timeline was removed by its age, a name alone says whose event it is. */
const OF_NAME = `(convert_from(t.body, 'UTF8')::jsonb->>'driverName' = any (p.names) and not exists (select from timeline_entries e
  where e.shipment_id = t.shipment_id and e.sequence = t.sequence))`;

/** THE rows of a person: for each table of domain/personal-data.ts that has columns of this kind of person. */
export const PERSON_ROWS: Readonly<Record<Person, Readonly<Partial<Record<PersonalTableName, PersonRows>>>>> =
  {
    recipient: {
      remembered_places: {
        where: `t.organization_id = p.organization_id and encode(t.place_key, 'hex') = any (p.place_keys)`,
      },
      shipments: {
        where: 't.id = any (p.shipment_ids)',
        set: {
          recipient: `'${JSON.stringify(ERASED_RECIPIENT)}'::jsonb`,
          pickup_address: ifThere('t.pickup_address', PLACE),
          items: itemsOf('t.items'),
          notes: 'null',
          external_reference: 'null',
          ...CHANGED,
        },
      },
      tasks: {
        where: 't.shipment_id = any (p.shipment_ids)',
        set: {
          address: PLACE,
          contact: 'null',
          failure_comment: 'null',
          notes: 'null',
          // What was collected is an amount.
          proof: `case when t.proof->'cashCollected' <> 'null' then jsonb_build_object('cashCollected', t.proof->'cashCollected') end`,
          ...CHANGED,
        },
      },
      timeline_entries: { where: 't.shipment_id = any (p.shipment_ids)', set: { comment: 'null' } },
      commands: {
        where: 't.shipment_id = any (p.shipment_ids)',
        set: { request: `t.request - '{comment,proof,address,contact}'::text[]`, trace_context: 'null' },
      },
      external_intakes: {
        where: 't.id = any (p.shipment_ids)',
        set: {
          request: `t.request || jsonb_build_object('recipient', '${JSON.stringify(ERASED_RECIPIENT)}'::jsonb, 'notes', null,
            'externalReference', null, 'pickupAddress', ${ifThere(`nullif(t.request->'pickupAddress', 'null')`, PLACE)},
            'items', ${itemsOf(`t.request->'items'`)})`,
          trace_context: 'null',
        },
      },
      webhook_events: {
        where: 't.shipment_id = any (p.shipment_ids)',
        set: bodyWith(`'{"externalReference": null}'`),
      },
      idempotency_keys: {
        ...ANSWERS,
        where: `(${ANSWERS.where} or t.organization_id = p.organization_id and t.response_body is not null
          and t.path like '%/shipments/import')`,
      },
      imports: {
        where: `t.organization_id = p.organization_id and t.status in ('done', 'failed')
          and (t.file_name is not null or t.errors <> '[]' or t.warnings <> '[]')`,
        set: { file_name: 'null', errors: `'[]'`, warnings: `'[]'`, warning_messages: 'null', ...CHANGED },
      },
      failed_imports: { where: 't.organization_id = p.organization_id' },
    },
    contact: {
      tasks: {
        where: `t.organization_id = p.organization_id and ${OF_CONTACT('t.contact')}`,
        // A pickup's address is the merchant's.
        set: {
          address: `case when t.type = 'pickup' then t.address else ${PLACE} end`,
          contact: 'null',
          ...CHANGED,
        },
        // An order that the person places meanwhile is delivered.
        left: HAS_ENDED,
      },
      commands: {
        where: `t.organization_id = p.organization_id and t.kind = 'add_task' and ${OF_CONTACT(`t.request->'contact'`)}`,
        set: { request: `t.request - '{address,contact}'::text[]`, trace_context: 'null' },
        left: `t.status in ('applied', 'rejected')`,
      },
      merchants: CONTACT_OF_ORGANIZATION,
      pickup_points: CONTACT_OF_ORGANIZATION,
      idempotency_keys: ANSWERS,
    },
    driver: {
      drivers: {
        where: 't.id = any (p.driver_ids)',
        set: {
          first_name: NAME,
          last_name: NAME,
          phone_number: `'${ERASED_PHONE_NUMBER}'`,
          vehicle_type: 'null',
          last_position: 'null',
          user_id: 'null',
          is_available: 'false',
          deleted_at: `coalesce(t.deleted_at, ${NOW})`,
          ...CHANGED,
        },
      },
      driver_positions: { where: 't.driver_id = any (p.driver_ids)', left: 'true' },
      delivery_runs: { where: 't.driver_id = any (p.driver_ids)', set: { name: 'null', ...CHANGED } },
      webhook_events: {
        where: `t.organization_id = p.organization_id and (${OF_ENTRY} or ${OF_NAME})`,
        set: bodyWith(`'{"driverName": null}'`),
        left: `t.erased_at is null and t.status <> 'pending'`,
      },
      idempotency_keys: ANSWERS,
    },
    user: {
      users: {
        where: 't.id = p.user_id',
        set: {
          email: `'erased-' || t.id || '@erased.invalid'`,
          password_hash: NAME,
          first_name: NAME,
          last_name: NAME,
          language: 'null',
          is_active: 'false',
          deleted_at: `coalesce(t.deleted_at, ${NOW})`,
          ...CHANGED,
        },
      },
      sessions: { where: 't.user_id = p.user_id' },
      second_factors: { where: 't.user_id = p.user_id' },
      rate_windows: {
        where: `t.subject like 'login-%:' || p.user_id or t.subject like 'login:%' and right(t.subject, length(p.email) + 1) = ' ' || p.email`,
      },
      idempotency_keys: ANSWERS,
      audit_events: { where: 't.user_id = p.user_id', set: 'stays' },
    },
  };

/** The tables that hold data of a person who may be of several kinds, each once, with the condition on its rows. */
export function conditionsOf(
  people: readonly Person[],
  conditionOf: (rows: PersonRows) => string,
): ReadonlyMap<PersonalTableName, string> {
  const conditions = new Map<PersonalTableName, string>();
  for (const [table, rows] of people.flatMap(tablesOf)) {
    const before = conditions.get(table);
    const condition = conditionOf(rows);
    conditions.set(table, before === undefined ? condition : `(${before}) or (${condition})`);
  }
  return conditions;
}

/** The tables that hold data of a kind of person, with its rows. */
export function tablesOf(person: Person): readonly (readonly [PersonalTableName, PersonRows])[] {
  const rows = PERSON_ROWS[person];
  return PERSONAL_TABLE_NAMES.flatMap((table) => {
    const found = rows[table];
    return found === undefined ? [] : [[table, found] as const];
  });
}
