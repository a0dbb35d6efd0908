import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectralCore from '@stoplight/spectral-core';
import { oas } from '@stoplight/spectral-rulesets';
import test from 'ava';
import { createDocumentation } from '../../api/openapi/documentation.ts';
import { routes } from '../../api/routes.ts';

const { document } = createDocumentation(routes, 'https://api.example.com').openApi;
/** What both have to find: a parameter that is nowhere. */
const parameters = [{ name: 'page', in: 'nowhere', schema: {} }];
const responses = { 200: { description: 'The drivers.' } };
const list = { operationId: 'drivers.list', summary: 'Drivers', security: [], parameters, responses };
const broken = { ...document, paths: { '/drivers': { get: list } } };

async function spectralErrors(description: Readonly<Record<string, unknown>>): Promise<readonly string[]> {
  const spectral = new spectralCore.Spectral();
  spectral.setRuleset(new spectralCore.Ruleset({ extends: [oas] }));
  const findings = await spectral.run({ ...description });
  // Spectral's levels are numbers, and 0 is an error.
  const errors = findings.filter(({ severity }) => String(severity) === '0');
  return errors.map(({ code, path, message }) => `${code} ${path.join('.')}: ${message}`);
}

async function redoclyErrors(description: Readonly<Record<string, unknown>>): Promise<readonly string[]> {
  const findings = await lintFromString({
    source: JSON.stringify(description),
    absoluteRef: 'openapi.json',
    config: await createConfig({ extends: ['recommended'] }),
  });
  const errors = findings.filter(({ severity }) => severity === 'error');
  return errors.map(({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer ?? ''}: ${message}`);
}

test('Spectral finds that the description is valid OpenAPI 3.1, and no other error', async (t) => {
  t.deepEqual(await spectralErrors(document), []);
  t.is((await spectralErrors(broken)).length, 1);
});

test('Redocly finds that the description is valid OpenAPI 3.1, and no other error', async (t) => {
  t.deepEqual(await redoclyErrors(document), []);
  t.is((await redoclyErrors(broken)).length, 1);
});
