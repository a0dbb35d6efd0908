import { shipmentBodyWith } from '../../harness/make.ts';
import { expectStatus } from '../../harness/moves.ts';
import { send } from '../../harness/request.ts';
import type { TestService } from '../../harness/service.ts';

/** Calls about shipments. */
export function shipmentCalls(service: TestService) {
  const create = (token: string, fields: Readonly<Record<string, unknown>> = {}) =>
    send(service, 'POST', '/shipments', { token, body: shipmentBodyWith(fields) });
  const patch = (token: string, iri: string, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
    send(service, 'PATCH', iri, { token, body, headers });
  return {
    create,
    /** A created shipment's document. */
    made: async (token: string, fields: Readonly<Record<string, unknown>> = {}): Promise<unknown> =>
      expectStatus(await create(token, fields), 201).body,
    patch,
    /** A modified record's document. */
    patched: async (token: string, iri: string, body: unknown): Promise<unknown> =>
      expectStatus(await patch(token, iri, body), 200).body,
    read: (token: string, iri: string) => send(service, 'GET', iri, { token }),
  };
}
