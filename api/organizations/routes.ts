import type { OrganizationId } from '../../domain/ids.ts';
import { iriOf } from '../../domain/iri.ts';
import { say } from '../../domain/messages.ts';
import { ProblemError, stated } from '../../domain/problem.ts';
import type { AuditSubject } from '../../store/audit/audit-events.ts';
import type { OrganizationRow } from '../../store/models/models.ts';
import { editOrganization, findOrganization, rollApiKey } from '../../store/accounts/organizations.ts';
import { audited, recordAct } from '../http/audited.ts';
import { hashSecret, newApiKey } from '../auth/tokens.ts';
import { JSON_TYPE, LD_JSON } from '../http/media-types.ts';
import { requireRecentPassword } from '../http/proof.ts';
import { dashboardRoute } from '../http/route.ts';
import type { RouteRequest } from '../http/route.ts';
import { editRoute } from '../resource/edit.ts';
import type { RecordResponse } from '../resource/resource.ts';
import { readRoute, recordResponse, resourceOf } from '../resource/resource.ts';
import { EDITING, settingsOf } from './edit.ts';
import {
  MAXIMUM_GRACE_HOURS,
  organization,
  presentOrganization,
  rollBody,
  rolledKeyJson,
  webhookSecretJson,
} from './fields.ts';

const HOUR_SECONDS = 3_600;

/** Organizations: a user reads its own, another one is 403 (contract «Errors», interpretation 38). */
export const organizations = resourceOf('organization', {
  find: async (scope, id: OrganizationId) => {
    const found = await findOrganization(scope, id);
    if (found.kind !== 'foreign') return found;
    throw new ProblemError({ kind: 'forbidden', ...stated(say('foreign_organization')) });
  },
  shape: organization.shapes.record,
  answer: ({ actor, dependencies }, row) =>
    recordResponse(presentOrganization(row, actor, dependencies.database.sealing), organization.editable),
});

/** Shows an organization; that an admin was shown the secret is recorded (decision 0040). */
async function show(request: RouteRequest, row: OrganizationRow): Promise<RecordResponse> {
  if (request.actor.role === 'ROLE_ORG_ADMIN' && request.actor.isConfirmed === null) {
    await recordAct(request, { kind: 'secret.viewed', subject: subjectOf(row) });
  }
  return organizations.answer(request, row);
}

function subjectOf({ id }: OrganizationRow): AuditSubject {
  return { kind: 'organization', id };
}

const read = readRoute(
  { ...organizations, answer: show },
  {
    action: 'organization.read',
    summary: 'Read your organization',
    description: 'webhookSecret and webhookUrl are shown to admins only. 403 for another organization.',
    shows: 'The organization.',
  },
);

const edit = editRoute(
  {
    ...organizations,
    ...EDITING,
    answer: show,
    write: (request, row, body, changed) => {
      if (changed.includes('requiresSecondFactor')) requireRecentPassword(request.actor);
      return audited(
        request,
        (scope) => editOrganization(scope, row.version, settingsOf(body)),
        (isWritten) =>
          isWritten ? { kind: 'organization.edited', subject: subjectOf(row), fields: changed } : undefined,
      );
    },
  },
  {
    action: 'organization.edit',
    summary: 'Modify your organization',
    description:
      'A merge patch (RFC 7396). webhookUrl must be a public HTTPS URL whose host resolves; timezone must be an IANA time zone. Webhook settings are stored on every plan and take effect when hasWebhooks is true. plan, hasWebhooks, webhookSecret, currency and trackingPrefix are read-only: a change to one of them rejects the whole request. Changed tariffs and deadlines apply to shipments that are created afterwards.',
  },
);

const readSecret = dashboardRoute({
  operation: 'organizations.readWebhookSecret',
  method: 'GET',
  path: '/organizations/{id}/webhook-secret',
  action: 'organization.edit',
  summary: 'Read the webhook secret',
  description: 'The secret that signs the notifications, which `GET /organizations/{id}` shows too.',
  asksPassword: true,
  produces: [JSON_TYPE, LD_JSON],
  isPlain: true,
  answers: { 200: { description: 'The secret.', schema: webhookSecretJson } },
  load: organizations.load,
  handle: async (request) => {
    const { dependencies, item } = request;
    await recordAct(request, { kind: 'secret.viewed', subject: subjectOf(item) });
    const webhookSecret = dependencies.database.sealing.open(item.webhookSecret, item.id);
    return {
      status: 200,
      headers: { 'cache-control': 'no-store' },
      body: { organization: iriOf('organization', item.id), webhookSecret },
    };
  },
});

const roll = dashboardRoute({
  operation: 'organizations.rollApiKey',
  method: 'POST',
  path: '/organizations/{id}/api-key',
  action: 'organization.roll_key',
  summary: 'Replace the API key',
  description: `The new key is shown only once. The previous key stays valid for graceHours (at most ${MAXIMUM_GRACE_HOURS}); by default it is revoked immediately. A key that was already in its grace period is revoked immediately.`,
  asksPassword: true,
  produces: [JSON_TYPE, LD_JSON],
  isPlain: true,
  answers: { 200: { description: 'The new key.', schema: rolledKeyJson } },
  body: rollBody,
  load: organizations.load,
  currentTag: organizations.currentTag,
  handle: async (request) => {
    const { body, item } = request;
    const { key, shownPrefix } = newApiKey();
    const made = { hash: hashSecret(key), shownPrefix };
    const graceEndsAt = await audited(
      request,
      (scope) => rollApiKey(scope, made, body.graceHours * HOUR_SECONDS),
      () => ({ kind: 'api_key.rolled', subject: subjectOf(item) }),
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

export const organizationRoutes = [read, edit, readSecret, roll];
