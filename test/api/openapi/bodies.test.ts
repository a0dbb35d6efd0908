import test from 'ava';
import fc from 'fast-check';
import { consumedTypes } from '../../../api/http/body.ts';
import { mapSchema } from '../../../api/schema/json-schema.ts';
import type { RouteDefinition } from '../../../api/http/route.ts';
import { routes } from '../../../api/routes.ts';
import { bodyFaults, schemaFaults } from '../../harness/conformity.ts';
import { nearly } from './arbitrary.ts';

/** Rows whose body is checked as it stands; a patch is merged first, a file is no JSON. */
const checked = routes.filter(
  (row) =>
    row.bodyJson !== null &&
    row.documentedBody === undefined &&
    consumedTypes(row).includes('application/json'),
);

for (const row of checked) {
  test(`${row.operation}: the server and the document draw the same line between bodies`, (t) => {
    const tally = { taken: 0, refused: 0 };
    fc.assert(
      fc.property(nearly(row.bodyJson ?? {}), (body) => {
        const sent: unknown = JSON.parse(JSON.stringify(body));
        const violations = row.bodyViolations(sent);
        tally[violations.length === 0 ? 'taken' : 'refused'] += 1;
        const taken = violations.length === 0 ? bodyFaults(row.bodyJson ?? {}, sent) : [];
        if (taken.length > 0) {
          throw new Error(`taken, though the document forbids it: ${taken.join('; ')}`);
        }
        if (schemaFaults(row.bodyJson ?? {}, sent).length === 0 && violations.length > 0 && !isNamed(row)) {
          throw new Error(`refused, though the document allows it: ${JSON.stringify(violations)}`);
        }
      }),
      { numRuns: 300, seed: 20_261_120 },
    );
    t.true(tally.taken > 0 && tally.refused > 0, JSON.stringify(tally));
  });
}

/** Whether the description of some part of the body names a rule that no schema says. */
function isNamed({ bodyJson, description }: RouteDefinition): boolean {
  let isFound = /must|requires|required|together/.test(description ?? '');
  mapSchema(bodyJson ?? {}, (part) => {
    isFound ||= part['type'] === 'object' && typeof part['description'] === 'string';
    isFound ||= /decimals|unique/.test(String(part['description']));
    return part;
  });
  return isFound;
}
