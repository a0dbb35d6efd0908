/** What the audit log says of one kind of act. */
interface AuditKindRow {
  readonly description: string;
  /**
   * For acts that repeat by themselves, such as a screen that reads a secret each time it opens: the same act of the same user is
   * recorded once in this time.
   */
  readonly quietSeconds?: number;
}

/** Everything that the audit log records (decision 0040): one row for each kind. Rows hold names of fields, never values. */
export const AUDIT_KINDS = {
  'session.opened': { description: 'A user signed in.' },
  'session.rejected': { description: 'A sign-in was rejected: wrong password, or no active user.' },
  'session.revoked': { description: 'A session was ended by its user, who signed out too, or by an admin.' },
  'session.confirmed': {
    description: 'A user gave its password again at the console, before something that asks for it.',
  },
  'second_factor.asked': {
    description: 'A sign-in had the right password, and was rejected without a code or a second factor.',
  },
  'second_factor.rejected': { description: 'A user, known by its password, gave a wrong code.' },
  'second_factor.confirmed': { description: 'A user set up its second factor.' },
  'second_factor.removed': { description: 'A user removed its second factor.' },
  'second_factor.reset': { description: 'The service operator removed the second factor of a user.' },
  'recovery_code.used': { description: 'A recovery code was used in place of a code.' },
  'recovery_codes.replaced': { description: 'A user got new recovery codes.' },
  'refresh_token.reused': { description: 'A used refresh token was sent again, and its session ended.' },
  'access.rejected': { description: 'A user asked for something that it may not do.', quietSeconds: 60 },
  'secret.viewed': { description: 'An admin was shown the webhook secret.', quietSeconds: 600 },
  'webhook_secret.rotated': { description: 'The service operator replaced the webhook secret.' },
  'webhook_secrets.resealed': {
    description: 'The service operator encrypted the webhook secrets with another key.',
  },
  'api_key.rolled': { description: 'The API key was replaced.' },
  'password.rejected': { description: 'A signed-in user was asked for its password and gave a wrong one.' },
  'password.changed': { description: 'A user changed its own password.' },
  'user.created': { description: 'A user was created.' },
  'user.edited': { description: 'A user was modified; fields says in what.' },
  'user.role_changed': { description: 'A user was modified, and its role with it.' },
  'user.deleted': { description: 'A user was deleted.' },
  'user.disabled': { description: 'The service operator disabled a user.' },
  'user.enabled': { description: 'The service operator enabled a user.' },
  'organization.created': { description: 'The organization was created.' },
  'organization.edited': { description: 'Settings of the organization were modified; fields says which.' },
  'organization.plan_changed': { description: 'The service operator moved the organization to a plan.' },
  'organization.suspended': { description: 'The service operator suspended the organization.' },
  'organization.resumed': { description: 'The service operator resumed the organization.' },
  'organization.erasure_started': {
    description: 'The service operator began to erase the organization.',
  },
  'organization.erased': { description: 'The service operator erased the organization.' },
  'person.erased': {
    description:
      'The service operator erased a person; count says from how many rows, subject where one record was named.',
  },
  'person.exported': { description: 'The service operator exported what is kept about a person.' },
  'shipments.exported': { description: 'Shipments were exported to a file.' },
  'webhooks.replayed': { description: 'Webhook notifications were sent again; count says how many.' },
  'audit.exported': { description: 'The service operator exported the audit log.' },
} as const satisfies Readonly<Record<string, AuditKindRow>>;

export type AuditKind = keyof typeof AUDIT_KINDS;
const isKind = (name: string): name is AuditKind => Object.hasOwn(AUDIT_KINDS, name);
/** The words of the kinds. */
export const AUDIT_KIND_NAMES: readonly AuditKind[] = Object.keys(AUDIT_KINDS).filter(isKind);

/** Who acts: a signed-in user, the operator by a command, or somebody who is not known, at a sign-in. */
export const AUDIT_ACTORS = ['user', 'operator', 'unknown'] as const;
export type AuditActor = (typeof AUDIT_ACTORS)[number];

/** In which time the same act of a user is recorded once; 0 where each is. */
export function quietSecondsOf(kind: AuditKind): number {
  const row: AuditKindRow = AUDIT_KINDS[kind];
  return row.quietSeconds ?? 0;
}
