import test from 'ava';
import { isJsonObject } from '../../../api/schema/json-schema.ts';
import type { JsonSchema } from '../../../api/schema/schema.ts';
import { routes } from '../../../api/routes.ts';
import { createDocumentation } from '../../../api/openapi/documentation.ts';
import { TAGS } from '../../../api/openapi/tags.ts';
import { schemaFaults } from '../../harness/conformity.ts';

const { document, conflicts } = createDocumentation(routes, 'http://localhost:8080').openApi;

test('no two shapes share a title', (t) => {
  t.deepEqual(conflicts, []);
});

test('every route has a summary, a unique operation id and a success response with a schema', (t) => {
  const faults = routes.flatMap(({ operation, summary, answers, produces = [] }) => {
    const isOfFiles = produces.some((type) => !type.includes('json'));
    const twins = routes.filter((row) => row.operation === operation).length;
    const successes = Object.entries(answers).filter(([status]) => Number(status) < 300);
    const shapeless = successes.filter(
      ([status, answer]) =>
        status !== '204' && !isOfFiles && answer.schema === undefined && answer.contentType === undefined,
    );
    return [
      ...(twins === 1 ? [] : [`${operation}: ${twins} rows have this operation id`]),
      ...(summary.trim() === '' ? [`${operation}: no summary`] : []),
      ...(successes.length === 0 ? [`${operation}: no success answer`] : []),
      ...shapeless.map(([status]) => `${operation}: ${status} has no schema and no content type`),
    ];
  });
  t.deepEqual(faults, []);
});

test('every tag that is used has a description, and every described tag is used', (t) => {
  const tags = document['tags'];
  const told = Array.isArray(tags) ? tags.filter(isJsonObject) : [];
  t.deepEqual(
    told.filter(({ description }) => typeof description !== 'string'),
    [],
  );
  t.deepEqual(
    Object.keys(TAGS).filter((name) => !told.some((tag) => tag['name'] === name)),
    [],
  );
});

test('no field of a schema has a default, which generators take for a field that must be sent', (t) => {
  const schemas = Object.entries(isJsonObject(document['components']) ? document['components'] : {});
  t.deepEqual(fieldsWithDefault(schemas), []);
  t.deepEqual(fieldsWithDefault({ properties: { size: { type: 'string', default: 'small' } } }), ['size']);
});

test('every example is valid under its own schema', (t) => {
  const faults = examples(document).flatMap(({ path, schema, value }) =>
    schemaFaults(schema, value).map((fault) => `${path} ${fault} in ${JSON.stringify(value)}`),
  );
  t.deepEqual(faults, []);
  t.true(examples(document).length > 100);
});

test('every reference leads to a component', (t) => {
  const lost = references(document).filter((reference) => {
    const found = reference
      .slice(2)
      .split('/')
      .reduce<unknown>((inside, name) => (isJsonObject(inside) ? inside[name] : undefined), document);
    return found === undefined;
  });
  t.deepEqual(lost, []);
});

test('every PATCH says that what the record comes to is held to every rule', (t) => {
  const edits = Object.entries(isJsonObject(document['paths']) ? document['paths'] : {}).flatMap(
    ([path, item]) => {
      const edit = isJsonObject(item) ? item['patch'] : undefined;
      return isJsonObject(edit) ? [{ path, description: String(edit['description']) }] : [];
    },
  );
  t.true(edits.length >= 9);
  t.deepEqual(
    edits.filter(({ description }) => !description.includes('valid as a whole (422)')),
    [],
  );
});

interface Example {
  readonly path: string;
  readonly schema: JsonSchema;
  readonly value: unknown;
}

/** Every `example`, entry of `examples` and schema's own example of a document, with the schema it is of. */
function examples(node: unknown, path = ''): Example[] {
  if (Array.isArray(node)) return node.flatMap((part, index) => examples(part, `${path}/${index}`));
  if (!isJsonObject(node)) return [];
  const { schema, example, examples: several, ...rest } = node;
  const inside = Object.entries({ ...rest, schema }).flatMap(([name, part]) =>
    examples(part, `${path}/${name}`),
  );
  if (Array.isArray(several)) {
    return [...inside, ...several.map((value: unknown) => ({ path, schema: node, value }))];
  }
  if (!isJsonObject(schema)) return inside;
  const named = isJsonObject(several) ? Object.values(several).filter(isJsonObject) : [];
  return [
    ...inside,
    ...(example === undefined ? [] : [{ path, schema, value: example }]),
    ...named.map(({ value }) => ({ path, schema, value })),
  ];
}

/** The names of the properties, at any depth, whose schema has a default. */
function fieldsWithDefault(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(fieldsWithDefault);
  if (!isJsonObject(node)) return [];
  const own = Object.entries(isJsonObject(node['properties']) ? node['properties'] : {});
  return [
    ...own.flatMap(([name, part]) => (isJsonObject(part) && 'default' in part ? [name] : [])),
    ...Object.values(node).flatMap(fieldsWithDefault),
  ];
}

function references(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(references);
  if (!isJsonObject(node)) return [];
  const own = typeof node['$ref'] === 'string' ? [node['$ref']] : [];
  return [...own, ...Object.values(node).flatMap(references)];
}
