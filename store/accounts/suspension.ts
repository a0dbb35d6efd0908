import type { OrganizationId } from '../../domain/ids.ts';
import type { Executor } from '../connection.ts';
import { selectOne } from '../connection.ts';

/** What a suspension or its end changed. */
export interface SuspensionChange {
  readonly name: string;
  /** Since when the organization was suspended before; null when it was not. */
  readonly suspendedBefore: Date | null;
  /** Whether its erasure has begun: it cannot be resumed. */
  readonly isBeingErased: boolean;
}

/**
 * Suspends an organization, or ends its suspension where `because` is null (decision 0042). A second suspension keeps the first
 * moment and takes the new reason. Resolves to undefined where there is no such organization.
 */
export function suspendAcrossTenants(
  executor: Executor,
  id: OrganizationId,
  because: string | null,
): Promise<SuspensionChange | undefined> {
  return selectOne<SuspensionChange>(
    executor,
    `with before as (select id, suspended_at from organizations where id = $1 for no key update)
     update organizations o set suspended_because = $2,
       suspended_at = case when $2::text is not null then coalesce(o.suspended_at, clock_timestamp()) end
     from before where o.id = before.id returning o.name, before.suspended_at as "suspendedBefore",
       o.erasure_started_at is not null as "isBeingErased"`,
    [id, because],
  );
}
