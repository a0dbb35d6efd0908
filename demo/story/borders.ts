import { randomUUID } from 'node:crypto';
import { keyHolder } from './cast.ts';
import { faultsOfProblem } from './contract.ts';
import type { Deployment } from './deployment.ts';
import type { Stage } from './journey.ts';
import { listAt, textAt } from './reading.ts';

/**
 * What must not work (contract «Rules», «Errors»): the key on the dashboard, the token on the external API, another
 * organization's shipment, an unknown one, an invalid one. `shipmentId` is one of the organization's own.
 */
export async function tellBorders(
  { client, checks, cast }: Stage,
  deployment: Deployment,
  shipmentId: string,
): Promise<void> {
  const refused = async (status: number, ...request: Parameters<typeof client.send>): Promise<unknown> => {
    const answer = await client.send(...request);
    const what = `${request[1]} ${request[2].replace(/[0-9a-f-]{36}/, '{id}')} by ${request[0].name}`;
    checks.same(answer.status, status, what);
    checks.faultless(faultsOfProblem(answer.body, status), what);
    return answer.body;
  };
  await refused(401, cast.shop, 'GET', '/shipments');
  await refused(401, cast.dispatcher, 'GET', `/external/shipments/${shipmentId}`);
  await refused(404, cast.shop, 'GET', `/external/shipments/${randomUUID()}`);
  if (deployment.stranger !== undefined) {
    const stranger = keyHolder('stranger', deployment.stranger);
    await refused(403, stranger, 'GET', `/external/shipments/${shipmentId}`);
  }
  const wrong = await refused(422, cast.shop, 'POST', '/external/shipments', {
    recipient: { firstName: 'Zoé', phoneNumber: 'no number', address: { street: '1 rue de Rivoli' } },
    priority: 'asap',
    codAmount: '12.345',
  });
  const paths = listAt(wrong, 'violations').map((violation) => textAt(violation, 'propertyPath'));
  checks.same(
    paths.toSorted(),
    ['codAmount', 'priority', 'recipient.address.city', 'recipient.phoneNumber'],
    'every violation at once',
  );
}
