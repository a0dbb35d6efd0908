import type { OrganizationId, SessionId, UserId } from '../../domain/ids.ts';
import { among, findPage } from '../page.ts';
import type { Lookup, Order, Page, PageOf, Tenant } from '../tenant.ts';
import { lookUp } from '../tenant.ts';
import { LIVE_SESSION } from './sessions.ts';

/** A session that lives, as its user or an admin sees it. */
export interface SessionRow {
  readonly id: SessionId;
  readonly organizationId: OrganizationId;
  readonly userId: UserId;
  readonly userName: string;
  /** Whether a cookie names it (decision 0029), not tokens. */
  readonly isConsole: boolean;
  readonly address: string | null;
  readonly userAgent: string | null;
  readonly createdAt: Date;
  readonly lastUsedAt: Date;
  readonly expiresAt: Date;
}

const COLUMNS = `s.id, u.organization_id as "organizationId", u.id as "userId",
  u.first_name || ' ' || u.last_name as "userName", s.cookie_hash is not null as "isConsole", s.address,
  s.user_agent as "userAgent", s.created_at as "createdAt", s.last_used_at as "lastUsedAt", s.expires_at as "expiresAt"`;
const SOURCE = 'from sessions s join users u on u.id = s.user_id';

/** Reads a session; missing once it has ended. */
export function findSession(tenant: Tenant, id: SessionId): Promise<Lookup<SessionRow>> {
  return lookUp(tenant, `select ${COLUMNS} ${SOURCE} where s.id = $1 and ${LIVE_SESSION}`, id);
}

/** One page of the sessions of the tenant's users, of these users alone where they are given. */
export function findSessionPage(
  tenant: Tenant,
  userIds: readonly UserId[] | null,
  { by, direction }: Order,
  page: Page,
): Promise<PageOf<SessionRow>> {
  const values: unknown[] = [tenant.organizationId];
  const column = { id: 's.id', created_at: 's.created_at', updated_at: 's.last_used_at' }[by];
  return findPage<SessionRow>(
    tenant,
    {
      columns: COLUMNS,
      from: SOURCE,
      where: `u.organization_id = $1 and ${LIVE_SESSION} and ${among(values, 'u.id', 'uuid', userIds)}`,
      values,
      createdColumn: 's.created_at',
      sortedBy: [column, 's.id'],
      direction,
    },
    page,
  );
}
