import type { Language, Plan } from '../../domain/enumerations.ts';
import { iriOf } from '../../domain/iri.ts';
import type { Action, UserRole } from '../../domain/permission.ts';
import { actionsOf, permissionScopeOf } from '../../domain/permission.ts';
import type { SecondFactorState } from '../../domain/second-factor.ts';
import type { ConsoleSession } from '../../store/accounts/console-sessions.ts';
import type { Dependencies } from '../dependencies.ts';

/** Who is signed in at the console, and what the console needs to know before it shows anything (decision 0029). */
interface SessionAnswer {
  readonly user: {
    readonly '@id': string;
    readonly email: string;
    readonly firstName: string;
    readonly lastName: string;
    readonly role: UserRole;
    readonly merchant: string | null;
    readonly driver: string | null;
    /** The user's choice; null: the browser's. */
    readonly language: Language | null;
    readonly secondFactor: SecondFactorState;
  };
  readonly organization: {
    readonly '@id': string;
    readonly name: string;
    readonly currency: string;
    readonly timezone: string;
    readonly plan: Plan;
  };
  readonly permissions: readonly Action[];
  /** When the session ends unless it is used before. */
  readonly expiresAt: string;
  /** The build of the console that is served; null where it is not built. */
  readonly version: string | null;
  readonly settings: {
    readonly tilesUrl: string | null;
    readonly tilesAttribution: string | null;
    readonly hasGeocoder: boolean;
  };
  /** `history` is the address of a workflow's history, with `{workflowId}` in it. */
  readonly links: { readonly history: string | null };
}

/** Writes the answer of a session. */
export function sessionAnswer(
  { config, consoleFiles }: Pick<Dependencies, 'config' | 'consoleFiles'>,
  session: ConsoleSession,
): SessionAnswer {
  const { email, firstName, lastName, role, language, secondFactor, currency, timezone, plan } = session;
  return {
    user: {
      '@id': iriOf('user', session.userId),
      email,
      firstName,
      lastName,
      role,
      merchant: session.merchantId && iriOf('merchant', session.merchantId),
      driver: session.driverId && iriOf('driver', session.driverId),
      language,
      secondFactor,
    },
    organization: {
      '@id': iriOf('organization', session.organizationId),
      name: session.organizationName,
      currency,
      timezone,
      plan,
    },
    permissions: actionsOf(role),
    expiresAt: session.expiresAt.toISOString(),
    version: consoleFiles?.version ?? null,
    settings: {
      tilesUrl: config.mapTilesUrl,
      tilesAttribution: config.mapTilesAttribution,
      hasGeocoder: config.geocoderUrl !== null,
    },
    links: { history: historyLink(config, role) },
  };
}

/** The Web UI shows the histories of everybody: its address is for those who see every shipment of their organization. */
function historyLink({ temporalUiUrl, temporal }: Dependencies['config'], role: UserRole): string | null {
  if (temporalUiUrl === null || permissionScopeOf(role, 'shipment.read') !== 'organization') return null;
  return `${temporalUiUrl}/namespaces/${encodeURIComponent(temporal.namespace)}/workflows/{workflowId}`;
}
