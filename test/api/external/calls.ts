import type { MadeOrganization } from '../../harness/make.ts';
import { makeUser, shipmentBodyWith } from '../../harness/make.ts';
import { expectStatus } from '../../harness/moves.ts';
import type { HttpAnswer } from '../../harness/request.ts';
import { at, send, textAt } from '../../harness/request.ts';
import type { TestService } from '../../harness/service.ts';

/** The external API as a shop's server calls it. */
export interface ExternalApi {
  readonly post: (organization: MadeOrganization, body: unknown) => Promise<HttpAnswer>;
  readonly read: (organization: MadeOrganization, id: string) => Promise<HttpAnswer>;
  /** Posts, and reads until the shipment exists. */
  readonly created: (
    organization: MadeOrganization,
    fields?: Readonly<Record<string, unknown>>,
  ) => Promise<{ readonly id: string; readonly body: unknown }>;
  /** The same shipment as a dispatcher sees it. */
  readonly onDashboard: (
    organization: MadeOrganization,
    id: string,
  ) => Promise<{ readonly token: string; readonly body: unknown }>;
}

export function externalApi(service: TestService): ExternalApi {
  const post: ExternalApi['post'] = ({ apiKey }, body) =>
    send(service, 'POST', '/external/shipments', { key: apiKey, body });
  const read: ExternalApi['read'] = ({ apiKey }, id) =>
    send(service, 'GET', `/external/shipments/${id}`, { key: apiKey });
  return {
    post,
    read,
    created: async (organization, fields = {}) => {
      const id = textAt(expectStatus(await post(organization, shipmentBodyWith(fields)), 202).body, 'id');
      for (;;) {
        const { body } = expectStatus(await read(organization, id), 200);
        if (at(body, 'status') !== 'processing') return { id, body };
      }
    },
    onDashboard: async (organization, id) => {
      const { token } = await makeUser(service, organization, 'ROLE_DISPATCHER');
      const { body } = expectStatus(await send(service, 'GET', `/shipments/${id}`, { token }), 200);
      return { token, body };
    },
  };
}
