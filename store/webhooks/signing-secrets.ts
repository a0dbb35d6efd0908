/**
 * SQL: the stored secret of an organization that `X-Service-Signature` is made with now (decision 0043). `organization` is the
 * organization's name in the statement.
 */
export function currentSecretOf(organization: string): string {
  return `(case when ${organization}.webhook_secret_changes_at <= clock_timestamp()
    then ${organization}.next_webhook_secret else ${organization}.webhook_secret end)`;
}

/** SQL: the stored secret that replaces it at the end of an overlap; null where none does. */
export function nextSecretOf(organization: string): string {
  return `(case when ${organization}.webhook_secret_changes_at > clock_timestamp() then ${organization}.next_webhook_secret end)`;
}
