import type { ExecutionContext } from 'ava';
import { select } from '../../store/connection.ts';
import { makeDriver, makeTeam } from '../harness/make.ts';
import type { MadeShipment } from '../harness/moves.ts';
import { expectStatus, makeShipment } from '../harness/moves.ts';
import { startReceiver } from '../harness/receiver.ts';
import { send } from '../harness/request.ts';
import type { TestService } from '../harness/service.ts';
import { until } from '../harness/until.ts';
import { uploadTo, workbook } from '../api/shipments/import/uploads.ts';

/** Texts that name one person, and no other record of the tests. */
export const PERSON = {
  firstName: 'Zéphyrine',
  lastName: 'Quillfeather',
  phoneNumber: '+33698765432',
  email: 'Zephyrine.Q@example.org',
  street: '77 passage des Nigelles',
  reference: 'ORDER-ZEPHYRINE',
} as const;
export const TRACES = [
  'Zéphyrine',
  'Zephyrine',
  'Quillfeather',
  '698765432',
  '98 76 54 32',
  'Nigelles',
  'ZEPHYRINE',
];
const PIN = { latitude: 48.8701234, longitude: 2.3791234 };

/** A recipient and contact who is in every store that can hold one: rows, commands, answers, events, imports and places. */
export async function personEverywhere(service: TestService, t: ExecutionContext) {
  const receiver = await startReceiver();
  t.teardown(receiver.close);
  const team = await makeTeam(service, 'ROLE_ORG_ADMIN', { webhookUrl: receiver.url });
  const driver = await makeDriver(service, team.organization);
  const { token, organization } = team;
  const { firstName, lastName, phoneNumber, email, street, reference } = PERSON;
  const recipient = {
    ...{ firstName, lastName, phoneNumber, email },
    address: { street, city: 'Paris', postalCode: '75020', landmark: `at ${lastName}’s` },
  };
  const contact = { name: `${firstName} ${lastName}`, phoneNumber, email };
  const items = [{ name: `mug «${firstName}»`, quantity: 2, unitPrice: '7.50', sku: reference }];
  const fields = {
    recipient,
    items,
    notes: `for ${firstName}`,
    externalReference: reference,
    codAmount: '49.90',
  };
  const words = (key: string, body: Readonly<Record<string, unknown>>) => ({
    ...{ token, body },
    headers: { 'idempotency-key': key },
  });

  const own = await makeShipment(service, token, { fields });
  const edit = { notes: `${lastName}, third floor`, address: { street, city: 'Paris', ...PIN } };
  expectStatus(await send(service, 'PATCH', own.delivery, { token, body: edit }), 200);
  const transition = async (shipment: MadeShipment, key: string, body: Readonly<Record<string, unknown>>) =>
    expectStatus(await send(service, 'POST', `${shipment.delivery}/transition`, words(key, body)), 200);
  const assign = { transition: 'assign', driver: `/api/v1/drivers/${driver}` };
  await transition(own, 'assign-1', assign);
  await transition(own, 'start-1', { transition: 'start_delivery' });
  await transition(own, 'fail-1', { transition: 'fail', reason: 'other', comment: `${firstName} was out` });
  await transition(own, 'again-1', { transition: 'reactivate' });
  await transition(own, 'assign-2', assign);
  await transition(own, 'start-2', { transition: 'start_delivery' });
  const proof = { receivedBy: firstName, note: `gave it to ${lastName}`, cashCollected: '49.90' };
  await transition(own, 'deliver-1', { transition: 'deliver', proof });

  const ofOther = await makeShipment(service, token);
  const transfer = { shipment: ofOther.iri, type: 'transfer', address: { street, city: 'Paris' }, contact };
  expectStatus(await send(service, 'POST', '/tasks', words('transfer-1', transfer)), 201);
  const merchant = { name: 'Atelier', contact };
  expectStatus(await send(service, 'POST', '/merchants', { token, body: merchant }), 201);

  const body = { recipient, externalReference: reference, notes: `call ${phoneNumber}`, items };
  expectStatus(
    await send(service, 'POST', '/external/shipments', {
      ...{ body, key: organization.apiKey },
      headers: { 'idempotency-key': 'external-1' },
    }),
    202,
  );
  const rows = [
    [firstName, phoneNumber, street, 'Paris', '3.00', `ring at ${lastName}`],
    [`${firstName} ${lastName}`, '98 76 54 32', street, 'Paris', lastName, ''],
  ];
  const sent = await uploadTo(service)(
    team.user,
    await workbook(rows),
    { 'idempotency-key': 'import-1' },
    {},
    { fileName: `${lastName}.xlsx` },
  );
  expectStatus(sent, 200);
  return { team, driver, own, ofOther };
}

/** Every text, JSON and byte column of the database in which a text of the list stands, as `table.column`. */
export async function columnsWith(
  service: Pick<TestService, 'database'>,
  texts: readonly string[],
): Promise<readonly string[]> {
  const columns = await select<{ table: string; column: string; type: string }>(
    service.database,
    `select c.table_name as "table", c.column_name as "column", c.udt_name as type from information_schema.columns c
     join information_schema.tables t using (table_schema, table_name)
     where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.udt_name in ('text', '_text', 'jsonb', 'json', 'bytea', 'varchar')
     order by 1, 2`,
  );
  const found: string[] = [];
  for (const { table, column, type } of columns) {
    const text = type === 'bytea' ? `encode(${column}, 'escape')` : `${column}::text`;
    const rows = await select(
      service.database,
      `select 1 as one from ${table} where ${text} ilike any ($1::text[]) limit 1`,
      [texts.flatMap((part) => [`%${part}%`, `%${escapedBytes(part)}%`])],
    );
    if (rows.length > 0) found.push(`${table}.${column}`);
  }
  return found;
}

/** A text as PostgreSQL writes its bytes: what is not ASCII in octal. */
function escapedBytes(text: string): string {
  return [...Buffer.from(text, 'utf8')]
    .map((byte) => (byte < 128 ? String.fromCharCode(byte) : `\\\\${byte.toString(8)}`))
    .join('');
}

/** Waits until the events of these shipments are settled. */
export async function settled(service: Pick<TestService, 'database'>, organizationId: string): Promise<void> {
  await until(async () => {
    const rows = await select(
      service.database,
      `select 1 as one from webhook_events where organization_id = $1 and status = 'pending' limit 1`,
      [organizationId],
    );
    return rows.length === 0;
  }, 'an event is pending');
}
