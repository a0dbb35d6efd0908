import { useQuery } from '@tanstack/react-query';
import { answer, answerWithTag, api, idOf } from '../../shared/client.ts';
import type { Schemas } from '../../shared/client.ts';
import type { TaggedRecord } from '../parts/use-edit.ts';
import { useSession } from '../session.tsx';
import { PATCH_HEADERS, taggedParams } from './record/record-kind.ts';

export type Organization = Schemas['Organization'];
export type OrganizationChange = Schemas['OrganizationPatch'];

/** Without the webhook secret, which the console gets by its own request alone. */
export function readOrganization(id: string): Promise<TaggedRecord<Organization>> {
  return answerWithTag(api.GET('/organizations/{id}', { params: { path: { id } } }));
}

export function changeOrganization(
  id: string,
  body: OrganizationChange,
  etag: string | null,
): Promise<TaggedRecord<Organization>> {
  const params = taggedParams(id, etag);
  return answerWithTag(api.PATCH('/organizations/{id}', { params, headers: PATCH_HEADERS, body }));
}

/** The webhook secret alone, on request: it is shown and kept nowhere. */
export async function readWebhookSecret(id: string): Promise<string> {
  const body = await answer(api.GET('/organizations/{id}/webhook-secret', { params: { path: { id } } }));
  return body.webhookSecret;
}

export function useOrganizationId(): string {
  return idOf(useSession().session.organization['@id']);
}

export function useOrganization() {
  const id = useOrganizationId();
  return useQuery({
    queryKey: ['organization', id],
    queryFn: () => readOrganization(id),
    // A form keeps what it began with.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  });
}
