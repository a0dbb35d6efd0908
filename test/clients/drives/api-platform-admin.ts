// Every operation of every resource that @api-platform/admin offers, through its own data provider and schema analyzer, as
// they come. Prints what does not work, and how many do.
import { fetchHydra, hydraDataProvider, hydraSchemaAnalyzer } from '@api-platform/admin';
import { parseHydraDocumentation } from '@api-platform/api-doc-parser';

const { BASE_URL: entrypoint = '', ADMIN_EMAIL = '', PASSWORD = '' } = process.env;
Object.assign(globalThis, { window: { location: { href: entrypoint } } });

type Values = Readonly<Record<string, unknown>>;
interface Document extends Values {
  readonly id: string;
}

const stamp = Date.now().toString(36);
const address = { street: '1 rue de Rivoli', city: 'Paris', latitude: 48.85, longitude: 2.36 };
const polygon = {
  type: 'Polygon',
  coordinates: [
    [
      [2, 48],
      [3, 48],
      [3, 49],
      [2, 48],
    ],
  ],
};
const recipient = { firstName: 'Amina', phoneNumber: '+33612345678', address };

/** What is made of each resource, changed in it, and wrong with it; `made` are the records that were created before. */
interface Sample {
  readonly body: (made: ReadonlyMap<string, Document>, number: number) => Values;
  readonly change: Values;
  /** A value that the service rejects, with the field that it has to show the message at. */
  readonly fault: Values;
  readonly faultAt: string;
  readonly isKept?: boolean;
}
const SAMPLES: Readonly<Record<string, Sample>> = {
  merchants: {
    body: (_made, number) => ({ name: `Shop ${number} ${stamp}`, address }),
    change: { name: 'Another shop' },
    fault: { name: '' },
    faultAt: 'name',
  },
  'pickup-points': {
    body: (made, number) => ({ name: `Point ${number}`, address, merchant: made.get('merchants')?.id }),
    change: { openingHours: 'Mo-Sa 08:00-19:00' },
    fault: { address: { street: 'Nowhere', city: '' } },
    faultAt: 'address.city',
  },
  zones: {
    body: (_made, number) => ({ name: `Zone ${number}`, polygon, baseFee: '7.00' }),
    change: { baseFee: '8.00' },
    fault: { baseFee: '8' },
    faultAt: 'baseFee',
  },
  users: {
    body: (_made, number) => ({
      email: `user-${number}-${stamp}@example.com`,
      firstName: 'Test',
      lastName: 'User',
      role: number === 1 ? 'ROLE_DRIVER' : 'ROLE_DISPATCHER',
      password: 'correct horse battery',
    }),
    change: { lastName: 'Changed' },
    fault: { email: 'no-address' },
    faultAt: 'email',
  },
  drivers: {
    body: (made, number) => ({
      firstName: 'Yanis',
      lastName: `Moreau ${number}`,
      phoneNumber: '+33612345678',
      vehicleType: 'van',
      ...(number === 1 ? { user: made.get('users')?.id } : {}),
    }),
    change: { vehicleType: 'bicycle' },
    fault: { vehicleType: 'rocket' },
    faultAt: 'vehicleType',
  },
  shipments: {
    body: (made) => ({
      recipient,
      codAmount: '49.90',
      merchant: made.get('merchants')?.id,
      handlingOptions: ['fragile'],
      externalReference: `order-${stamp}`,
    }),
    change: { notes: 'Ring twice.' },
    fault: { recipient: { ...recipient, phoneNumber: '12' } },
    faultAt: 'recipient.phoneNumber',
  },
  tasks: {
    body: (made) => ({ shipment: made.get('shipments')?.id, type: 'transfer', address }),
    change: { notes: 'Second floor.' },
    fault: { address: { street: 'Nowhere', city: '' } },
    faultAt: 'address.city',
    isKept: true,
  },
  'delivery-runs': {
    body: (made, number) => ({
      name: `Tour ${number}`,
      ...(number === 1 ? { driver: made.get('drivers')?.id, tasks: [made.get('tasks')?.id] } : {}),
    }),
    change: { name: 'Another tour' },
    fault: { date: 'tomorrow' },
    faultAt: 'date',
  },
};

const counts = { tried: 0, working: 0 };

/** Counts an operation as working where it neither throws nor returns what is wrong. */
async function attempt(name: string, operation: () => Promise<string | void>): Promise<void> {
  counts.tried += 1;
  const fault = await operation().catch(
    (error: unknown) => `${error instanceof Error ? error.message : JSON.stringify(error)}`,
  );
  if (fault === undefined) counts.working += 1;
  else console.log(`${name}: ${fault.replaceAll('\n', ' ').slice(0, 300)}`);
}

async function signIn(): Promise<string> {
  const answer = await fetch(`${entrypoint}/login_check`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: ADMIN_EMAIL, password: PASSWORD }),
  });
  return Object(await answer.json()).token;
}

const token = `Bearer ${await signIn()}`;
const provider = hydraDataProvider({
  entrypoint,
  mercure: false,
  httpClient: (url: URL, options = {}) =>
    fetchHydra(url, { ...options, user: { authenticated: true, token } }),
  apiDocumentationParser: () => parseHydraDocumentation(entrypoint, { headers: { Authorization: token } }),
});
const analyzer = hydraSchemaAnalyzer();
const { data: api } = await provider.introspect();
const schemas = new Map<string, any>(api.resources.map((resource: any) => [resource.name, resource]));
const made = new Map<string, Document>();

const page = (number = 1, perPage = 10) => ({ page: number, perPage });
const byId = { field: 'id', order: 'ASC' };
const list = (name: string, filter: Values = {}, sort = byId, pagination = page()) =>
  provider.getList(name, { pagination, sort, filter });
/** As react-admin's form has it: the record with what was typed. */
const typed = (record: Values, change: Values) => ({ ...record, ...change });

async function create(name: string, { body, fault, faultAt }: Sample): Promise<void> {
  for (const number of [1, 2]) {
    if (name === 'tasks' && number === 2) continue;
    await attempt(`${name} create`, async () => {
      const { data } = await provider.create(name, { data: body(made, number) });
      if (number === 1) made.set(name, data);
    });
  }
  await attempt(`${name} create, message at the field`, () =>
    messageAt(faultAt, () => provider.create(name, { data: { ...body(made, 3), ...fault } })),
  );
}

async function messageAt(field: string, write: () => Promise<unknown>): Promise<string | void> {
  try {
    await write();
  } catch (error) {
    const messages = analyzer.getSubmissionErrors(error as never);
    if (typeof messages?.[field] === 'string') return undefined;
    return `no message at ${field}: ${JSON.stringify(messages)} ${String(error)}`;
  }
  return 'it was accepted';
}

async function read(name: string, schema: any): Promise<void> {
  await attempt(`${name} list`, async () => {
    const { data, total } = await list(name);
    if (data.length === 0 || total === undefined) return 'it is empty';
  });
  await attempt(`${name} second page`, async () => {
    const [first, second] = await Promise.all([1, 2].map((number) => list(name, {}, byId, page(number, 1))));
    const isOther = second.total === 1 || second.data[0]?.id !== first.data[0]?.id;
    return isOther ? undefined : 'it is the first page';
  });
  await attempt(`${name} getMany`, async () => {
    const { data: records } = await list(name);
    const ids = records.map(({ id }: Document) => id);
    const { data } = await provider.getMany(name, { ids });
    return data.length === ids.length ? undefined : 'records are missing';
  });
  await attempt(`${name} show`, async () => {
    const [record] = (await list(name)).data;
    const { data } = await provider.getOne(name, { id: record.id });
    const names = schema.fields.map((field: any) => field.name);
    const unknown = Object.keys(data).filter(
      (key) => !key.startsWith('@') && ![...names, 'originId'].includes(key),
    );
    return unknown.length === 0 ? undefined : `without a field: ${unknown.join(', ')}`;
  });
}

async function sort(name: string, schema: any): Promise<void> {
  const fields = await analyzer.getOrderParametersFromSchema(schema);
  if (fields.length === 0) await attempt(`${name} sort`, async () => 'no column is offered');
  for (const field of fields) {
    for (const order of ['ASC', 'DESC']) {
      await attempt(`${name} sort by ${field} ${order}`, async () => {
        const { data } = await list(name, {}, { field, order });
        const values = data.map((record: Document) => String(record[field]));
        const sorted = [...values].sort();
        const expected = order === 'ASC' ? sorted : sorted.reverse();
        return values.join() === expected.join() ? undefined : `not sorted: ${values.join(', ')}`;
      });
    }
  }
}

async function filter(name: string, schema: any): Promise<void> {
  const offered = await analyzer.getFiltersParametersFromSchema(schema);
  if (offered.length === 0 && name !== 'merchants') {
    await attempt(`${name} filter`, async () => 'no filter is offered');
  }
  const id = made.get(name)?.id ?? (await list(name).catch(() => ({ data: [] }))).data[0]?.id;
  if (id === undefined) return attempt(`${name} filter`, async () => 'there is no record');
  const { data: known } = await provider.getOne(name, { id });
  for (const { name: field } of offered) {
    const value = known?.[field];
    const reference = schema.fields.find((one: any) => one.name === field)?.reference;
    if (value === undefined || value === null) continue;
    const finds = async (filterValue: unknown) => {
      const { data } = await list(name, { [field]: filterValue });
      return data.some((record: Document) => record.id === id) ? undefined : 'the record is not found';
    };
    await attempt(`${name} filter by ${field}`, () => finds(value));
    if (typeof value === 'string') {
      await attempt(`${name} filter by several ${field}`, () => finds([value]));
    }
    if (reference) {
      await attempt(`${name} of one ${field}`, async () => {
        const options = { target: field, id: value as string, pagination: page(), sort: byId, filter: {} };
        const { data } = await provider.getManyReference(name, options);
        return data.length > 0 ? undefined : 'none was found';
      });
    }
  }
}

async function edit(name: string, { change, fault, faultAt }: Sample): Promise<void> {
  const record = made.get(name);
  if (record === undefined) return attempt(`${name} edit`, async () => 'there is no record');
  const { id } = record;
  const current = async () => (await provider.getOne(name, { id })).data;
  await attempt(`${name} edit, all sent back unchanged`, async () => {
    const data = await current();
    const { data: after } = await provider.update(name, { id, data, previousData: data });
    return after.updatedAt === data.updatedAt ? undefined : 'it was written though nothing changed';
  });
  await attempt(`${name} edit, all sent back with a change`, async () => {
    const data = await current();
    const { data: after } = await provider.update(name, {
      id,
      data: typed(data, change),
      previousData: data,
    });
    const [[field, value] = ['', '']] = Object.entries(change);
    return after[field] === value ? undefined : `${field} is ${JSON.stringify(after[field])}`;
  });
  await attempt(`${name} edit, message at the field`, async () => {
    const data = await current();
    return messageAt(faultAt, () =>
      provider.update(name, { id, data: typed(data, fault), previousData: data }),
    );
  });
}

async function remove(name: string, schema: any): Promise<void> {
  if (!schema.operations.some(({ type }: any) => type === 'delete')) return;
  const record = made.get(name);
  if (record === undefined) return attempt(`${name} delete`, async () => 'there is no record');
  await attempt(`${name} delete`, async () => {
    await provider.delete(name, { id: record.id, previousData: record });
    const { data } = await list(name);
    return data.some(({ id }: Document) => id === record.id) ? 'it is still listed' : undefined;
  });
}

for (const [name, sample] of Object.entries(SAMPLES)) await create(name, sample);
for (const [name, schema] of schemas) {
  await attempt(`${name} described`, async () => (schema.fields.length > 1 ? undefined : 'no fields'));
  await read(name, schema);
  await sort(name, schema);
  await filter(name, schema);
}
for (const [name, sample] of Object.entries(SAMPLES)) await edit(name, sample);
for (const name of Object.keys(SAMPLES).reverse()) {
  const schema = schemas.get(name);
  if (schema !== undefined) await remove(name, schema);
}
console.log(
  `${counts.working === counts.tried ? 'delivered' : 'failed:'} ${counts.working} of ${counts.tried} operations`,
);
process.exitCode = counts.working === counts.tried ? 0 : 1;
