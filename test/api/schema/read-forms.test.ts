import test from 'ava';
import { consumedTypes } from '../../../api/http/body.ts';
import { JSON_TYPE, LD_JSON } from '../../../api/http/media-types.ts';
import { offersOf } from '../../../api/http/router.ts';
import type { RouteDefinition } from '../../../api/http/route.ts';
import { exampleOf } from '../../../api/openapi/examples.ts';
import { createDocumentation } from '../../../api/openapi/documentation.ts';
import { routes } from '../../../api/routes.ts';
import { isJsonObject, mapSchema, propertiesOf, requiredNames } from '../../../api/schema/json-schema.ts';
import type { JsonSchema } from '../../../api/schema/schema.ts';

/** Rules that hold for every row, and so for a field or an endpoint that is added later (decision 0024). */

type Path = readonly string[];

/** Where a body of this schema may have a text and need not; without the entries of its lists. */
function optionalTexts(schema: JsonSchema, path: Path = []): readonly Path[] {
  return Object.entries(propertiesOf(schema)).flatMap(([name, part]): readonly Path[] => {
    const here = [...path, name];
    if ([part['type']].flat().includes('string')) return requiredNames(schema).includes(name) ? [] : [here];
    const [inner = part] = Array.isArray(part['anyOf']) ? part['anyOf'].filter(isJsonObject) : [];
    return optionalTexts(inner, here);
  });
}

/** The object with a value at a path; what is missing on the way is made. */
function placed(object: unknown, [name = '', ...rest]: Path, value: unknown): JsonSchema {
  const known = isJsonObject(object) ? object : {};
  return { ...known, [name]: rest.length === 0 ? value : placed(known[name], rest, value) };
}

const withBody = routes.filter(
  (row) => row.bodyJson !== null && row.documentedBody === undefined && takes(row, JSON_TYPE),
);

function takes(row: RouteDefinition, type: string): boolean {
  return consumedTypes(row).includes(type);
}

test('an optional text of any body may be empty, and is then read as null is', (t) => {
  const read = withBody.flatMap((row) =>
    optionalTexts(row.bodyJson ?? {}).map((path) => {
      const example = exampleOf(row.bodyJson ?? {}, 'request');
      const [empty, absent] = ['', null].map((value) => row.bodyViolations(placed(example, path, value)));
      t.deepEqual(empty, absent, `${row.operation} ${path.join('.')}`);
      return path;
    }),
  );
  t.true(read.length > 50, String(read.length));
});

test('every moment of a body or a query is read in the same forms', (t) => {
  const described: unknown[] = [];
  for (const schema of routes.flatMap(({ bodyJson, queryJson }) => [bodyJson ?? {}, queryJson])) {
    mapSchema(schema, (part) => {
      if (part['format'] === 'date-time') described.push(part['description']);
      return part;
    });
  }
  t.true(described.length > 15, String(described.length));
  t.deepEqual(
    described.filter((text) => !String(text).includes('Seconds may be left out.')),
    [],
  );
});

test('JSON-LD is accepted wherever JSON is, but by PATCH; what is given as JSON-LD has a context', (t) => {
  const { rows } = createDocumentation(routes, 'http://localhost:8080');
  const api = rows.filter(({ path }) => !path.startsWith('/docs'));
  const oneSided = api.filter(
    (row) =>
      (row.bodyJson !== null && takes(row, JSON_TYPE) !== takes(row, LD_JSON)) ||
      offersOf(row).includes(JSON_TYPE) !== offersOf(row).includes(LD_JSON),
  );
  t.deepEqual(
    oneSided.map(({ operation }) => operation),
    [],
  );
  const bare = api.flatMap((row) =>
    Object.entries(row.answers).flatMap(([status, { schema }]) => {
      const isJsonLd = Number(status) < 300 && offersOf(row).includes(LD_JSON);
      return isJsonLd && schema !== undefined && !('@context' in propertiesOf(schema)) ? [row.operation] : [];
    }),
  );
  t.deepEqual(bare, []);
});
