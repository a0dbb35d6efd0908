import { FAILING_AFTER_SECONDS } from '../../domain/webhook.ts';

/**
 * SQL: since when nothing was delivered to an organization's endpoint; null while it is not failing (decision 0016). A new
 * URL begins without a past. `organization` is the organization's name in the statement.
 */
export function failingSince(organization: string): string {
  return `(select p.failing_since from webhook_endpoints p
    where p.organization_id = ${organization}.id and p.url = ${organization}.webhook_url and ${organization}.is_webhook_enabled
      and p.failing_since < clock_timestamp() - make_interval(secs => ${FAILING_AFTER_SECONDS}))`;
}
