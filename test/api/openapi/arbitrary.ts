import fc from 'fast-check';
import { isJsonObject, propertiesOf, requiredNames } from '../../../api/schema/json-schema.ts';
import type { JsonSchema } from '../../../api/schema/schema.ts';
import { exampleOf } from '../../../api/openapi/examples.ts';

/** Values of every JSON type, for places where one type is wanted. */
const OTHERS = [null, true, 0, -1, 1.5, 1e9, '', ' ', 'x', '0', [], {}, [null], '2026-13-45', '\u0000'];

/** Values near a schema: most fit, many miss by one thing. What fits and what does not is for the schema to say. */
export function nearly(schema: JsonSchema, name = ''): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 8, arbitrary: fitting(schema, name) },
    { weight: 1, arbitrary: fc.constantFrom(...OTHERS) },
  );
}

function fitting(schema: JsonSchema, name: string): fc.Arbitrary<unknown> {
  const choices = listOf(schema['anyOf']).concat(listOf(schema['oneOf'])).filter(isJsonObject);
  if (choices.length > 0) return fc.oneof(...choices.map((choice) => nearly(choice, name)));
  if (schema['const'] !== undefined) return fc.constant(schema['const']);
  const words = listOf(schema['enum']);
  if (words.length > 0) return fc.constantFrom(...words, 'unheard_of');
  const types = [schema['type']].flat();
  return fc.oneof(...types.map((type) => ofType(String(type), schema, name)));
}

function ofType(type: string, schema: JsonSchema, name: string): fc.Arbitrary<unknown> {
  switch (type) {
    case 'object':
      return fc.oneof(
        { weight: 1, arbitrary: fc.constant(exampleOf(schema, 'answer', name)) },
        { weight: 3, arbitrary: ofObject(schema) },
      );
    case 'array':
      return ofArray(schema, name);
    case 'integer':
    case 'number':
      return ofNumber(schema);
    case 'boolean':
      return fc.boolean();
    case 'string':
      return ofText(schema, name);
    default:
      return fc.constant(null);
  }
}

/** Now and then a required field is left out, or an unknown one is there. */
function ofObject(schema: JsonSchema): fc.Arbitrary<unknown> {
  const required = requiredNames(schema);
  const fields = Object.entries(propertiesOf(schema)).map(([name, part]) => {
    const absent = required.includes(name) ? 1 : 6;
    return fc
      .option(nearly(part, name), { nil: undefined, freq: absent === 1 ? 30 : 2 })
      .map((value) => (value === undefined ? [] : [[name, value] as const]));
  });
  const unknown = fc.constantFrom([], [], [], [], [], [['codeAmount', '1.00'] as const]);
  return fc.tuple(unknown, ...fields).map((entries) => Object.fromEntries(entries.flat()));
}

function ofArray(schema: JsonSchema, name: string): fc.Arbitrary<unknown> {
  const { items, minItems = 0, maxItems = 5 } = schema;
  const item = isJsonObject(items) ? nearly(items, name.replace(/s$/, '')) : fc.constant('x');
  const few = fc.array(item, { minLength: 0, maxLength: Math.min(Number(maxItems), Number(minItems) + 3) });
  const tooMany = fc.constant(
    Array.from({ length: Number(maxItems) + 1 }, (_none, index) =>
      isJsonObject(items) ? exampleOf(items, 'answer', name) : index,
    ),
  );
  return fc.oneof({ weight: 10, arbitrary: few }, { weight: 1, arbitrary: tooMany });
}

function ofNumber({ minimum, maximum }: JsonSchema): fc.Arbitrary<unknown> {
  const borders = [minimum, maximum].filter((border) => typeof border === 'number');
  const around = borders.flatMap((border) => [border - 1, border - 0.5, border, border + 0.5, border + 1]);
  return fc.constantFrom(1, 2, 2.5, ...around);
}

function ofText(schema: JsonSchema, name: string): fc.Arbitrary<unknown> {
  const { maxLength, minLength } = schema;
  const borders = [maxLength, minLength].filter((border) => typeof border === 'number' && border < 5_000);
  const lengths = borders.flatMap((border) => [Number(border) - 1, Number(border), Number(border) + 1]);
  const filled = lengths.filter((length) => length >= 0).map((length) => 'é'.repeat(length));
  return fc.oneof(
    { weight: 6, arbitrary: fc.constant(exampleOf(schema, 'answer', name)) },
    {
      weight: 2,
      arbitrary: fc.constantFrom('', ' ', 'x', '12.50', '+33612345678', ...filled, '😀'.repeat(255)),
    },
    { weight: 1, arbitrary: fc.string({ maxLength: 20 }) },
  );
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
