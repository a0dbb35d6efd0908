import { isDeepStrictEqual } from 'node:util';
import { toId } from '../../domain/ids.ts';
import { iriOf } from '../../domain/iri.ts';
import { ProblemError } from '../../domain/problem.ts';
import { editOrganization, findOrganization, rollApiKey } from '../../store/accounts/organizations.ts';
import type { OrganizationRow } from '../../store/models/organization.ts';
import { tenant } from '../../store/tenant.ts';
import { hashSecret, newApiKey } from '../auth/tokens.ts';
import { changedMeanwhile } from '../resource/record-routes.ts';
import { requireFound } from '../http/require-found.ts';
import { JSON_TYPE, LD_JSON } from '../http/media-types.ts';
import { MERGE_PATCH_BODY, mergePatch, patchJson } from '../schema/merge-patch.ts';
import { requireMatch } from '../http/preconditions.ts';
import type { RouteResponse, LoadRequest, UserActor } from '../http/route.ts';
import { dashboardRoute, NO_BODY, NO_QUERY } from '../http/route.ts';
import { patchedSettings } from './edit.ts';
import { MAXIMUM_GRACE_HOURS, organization, presentOrganization, rollBody, rolledKeyJson } from './fields.ts';

const tag = 'Organizations';
const HOUR_SECONDS = 3_600;

/** Loads the actor's own organization; another one is 403 (contract «Errors», interpretation 38). */
async function loadOrganization({
  actor,
  params,
  dependencies,
}: LoadRequest<UserActor, unknown>): Promise<OrganizationRow> {
  const scope = tenant(dependencies.database, actor.organizationId);
  const found = await findOrganization(scope, toId<'organization'>(params['id'] ?? ''));
  if (found.kind === 'foreign') {
    throw new ProblemError({ kind: 'forbidden', detail: 'You belong to another organization.' });
  }
  return requireFound(found, 'organization');
}

function answerOf(row: OrganizationRow, actor: UserActor): RouteResponse {
  return { status: 200, body: presentOrganization(row, actor.role), etag: etagOf(row) };
}

/** The answer also depends on the endpoint's state. */
function etagOf({ version, webhookFailingSince }: OrganizationRow): string {
  return webhookFailingSince === null ? String(version) : `${version}-${webhookFailingSince.getTime()}`;
}

const read = dashboardRoute({
  operation: 'organizations.read',
  method: 'GET',
  path: '/organizations/{id}',
  action: 'organization.read',
  tag,
  summary: 'Read your organization',
  description: 'webhookSecret is shown to admins only. 403 for another organization.',
  answers: {
    200: { description: 'The organization.', schema: organization.shapes.record, headers: ['ETag'] },
  },
  body: NO_BODY,
  query: NO_QUERY,
  load: loadOrganization,
  handle: ({ actor, item }) => Promise.resolve(answerOf(item, actor)),
});

const edit = dashboardRoute({
  operation: 'organizations.edit',
  method: 'PATCH',
  path: '/organizations/{id}',
  action: 'organization.edit',
  tag,
  summary: 'Modify your organization',
  description:
    'A merge patch (RFC 7396). webhookUrl must be a public HTTPS URL whose host resolves; timezone must be an IANA time zone. Webhook settings are stored on every plan and take effect when hasWebhooks is true. plan, hasWebhooks, webhookSecret, currency and trackingPrefix are read-only: a change to one of them rejects the whole request. Changed tariffs and deadlines apply to shipments that are created afterwards.',
  isConditional: true,
  documentedBody: patchJson(organization.body),
  answers: {
    200: { description: 'The modified organization.', schema: organization.shapes.record, headers: ['ETag'] },
  },
  body: MERGE_PATCH_BODY,
  query: NO_QUERY,
  load: loadOrganization,
  handle: async ({ actor, body, item, raw, dependencies }) => {
    const version = String(item.version);
    requireMatch(raw, version, (tag) => tag === `"${version}"` || tag.startsWith(`"${version}-`));
    const current = presentOrganization(item, actor.role);
    const merged = mergePatch(current, body);
    const settings = await patchedSettings(dependencies, item, current, { patch: body, merged });
    if (isDeepStrictEqual(merged, current)) return answerOf(item, actor);
    const scope = tenant(dependencies.database, actor.organizationId);
    if (!(await editOrganization(scope, item.version, settings))) throw changedMeanwhile(raw, 'organization');
    return answerOf(requireFound(await findOrganization(scope, item.id), 'organization'), actor);
  },
});

const roll = dashboardRoute({
  operation: 'organizations.rollApiKey',
  method: 'POST',
  path: '/organizations/{id}/api-key',
  action: 'organization.roll_key',
  tag,
  summary: 'Replace the API key',
  description: `The new key is shown only once. The previous key stays valid for graceHours (at most ${MAXIMUM_GRACE_HOURS}); by default it is revoked immediately. A key that was already in its grace period is revoked immediately.`,
  produces: [JSON_TYPE, LD_JSON],
  answers: { 200: { description: 'The new key.', schema: rolledKeyJson } },
  body: rollBody,
  query: NO_QUERY,
  load: loadOrganization,
  handle: async ({ actor, body, item, dependencies }) => {
    const { key, shownPrefix } = newApiKey();
    const scope = tenant(dependencies.database, actor.organizationId);
    const graceEndsAt = await rollApiKey(
      scope,
      { hash: hashSecret(key), shownPrefix },
      body.graceHours * HOUR_SECONDS,
    );
    return {
      status: 200,
      body: {
        organization: iriOf('organization', item.id),
        apiKey: key,
        apiKeyPrefix: shownPrefix,
        previousKeyExpiresAt: graceEndsAt?.toISOString() ?? null,
      },
    };
  },
});

export const organizationRoutes = [read, edit, roll];
