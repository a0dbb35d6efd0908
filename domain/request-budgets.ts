/**
 * What one user and one organization may ask of the dashboard API within a window, so that one in a loop leaves the others
 * their part (decision 0017). The external API has the contract's limit and no other (interpretation 40).
 */

/** The sliding window of every budget, in seconds. */
export const BUDGET_WINDOW_SECONDS = 60;

/** Units that fit in the window. A request is one unit; one for many shipments is a unit for each. */
export interface Budget {
  /** For one user; null where the organization's is the only one. */
  readonly user: number | null;
  /** For all users of an organization together. */
  readonly organization: number;
  /** Whether each request is counted in Postgres first; the others are counted in the process and written behind. */
  readonly isExact: boolean;
}

/**
 * Units a minute. Two cores manage some 80 transitions and 1,400 pages of lists a second: an organization in a loop gets at
 * most a quarter of the transitions, and some 4 to 7 % of the reads. A user has room for two tabs that reload every second,
 * for an approval of 500 shipments, and for a phone that sends what it kept.
 */
export const BUDGETS = {
  /** One record, or what became of a command. */
  read: { user: 600, organization: 6_000, isExact: false },
  /** A page of a collection. */
  list: { user: 600, organization: 3_000, isExact: false },
  /** A page of what a `search` finds: its cost grows with the organization. */
  search: { user: 90, organization: 240, isExact: true },
  /** A whole day with its tasks, and a stream of changes that is opened; a browser needs one of each, and follows the changes. */
  board: { user: 60, organization: 600, isExact: false },
  /** A change of a plain record. */
  write: { user: 240, organization: 1_200, isExact: false },
  /** What a shipment's workflow carries out: creations, transitions, approvals, assignments; a unit for each shipment. */
  command: { user: 600, organization: 1_200, isExact: false },
  /** A driver's place, as a phone reports it every few seconds. */
  position: { user: 120, organization: 6_000, isExact: false },
  /** Notes, labels and codes; a unit for each shipment. */
  document: { user: 300, organization: 600, isExact: true },
  /** A file of shipments, of an import's failed rows, or the template. */
  export: { user: 10, organization: 20, isExact: true },
  /** A workbook that is read, for an import or a preview. */
  import: { user: 6, organization: 12, isExact: true },
  /** An address that is looked up, at a service which others run. */
  geocode: { user: 60, organization: 240, isExact: false },
  /** What hashes a password, makes a key, or resolves a host. */
  account: { user: 30, organization: 60, isExact: true },
  /** A new token for a session, and its end. */
  session: { user: 20, organization: 600, isExact: true },
  webhook_test: { user: null, organization: 12, isExact: true },
  webhook_replay: { user: null, organization: 300, isExact: true },
  /** A request for up to 500 replays. */
  replay_many: { user: null, organization: 20, isExact: true },
} as const satisfies Readonly<Record<string, Budget>>;

export type BudgetClass = keyof typeof BUDGETS;

/** Of routes that no budget counts: the contract's limit of the external API; the limits of sign-in. */
export type OtherLimit = 'external' | 'sign_in';

/** The class of every route, by its operation. A route of the dashboard that is missing here ends the API's start. */
export const ROUTE_BUDGETS: Readonly<Record<string, BudgetClass | OtherLimit>> = {
  'auth.login': 'sign_in',
  'auth.refresh': 'session',
  'auth.logout': 'session',
  'sessions.list': 'list',
  'sessions.read': 'read',
  'sessions.delete': 'write',
  'session.open': 'sign_in',
  'session.read': 'read',
  'session.edit': 'write',
  'session.end': 'session',
  'session.stepUp': 'account',
  'sessions.endOthers': 'session',
  'shipments.list': 'list',
  'shipments.create': 'command',
  'shipments.read': 'read',
  'shipments.edit': 'write',
  'shipments.delete': 'command',
  'shipments.approve': 'command',
  'shipments.bulkApprove': 'command',
  'shipments.export': 'export',
  'shipments.import': 'import',
  'shipments.failedRows': 'export',
  'shipments.importTemplate': 'export',
  'imports.list': 'list',
  'imports.read': 'read',
  'shipments.deliveryNote': 'document',
  'shipments.deliveryNotes': 'document',
  'shipments.labelAssets': 'document',
  'shipments.labels': 'document',
  'tasks.list': 'list',
  'tasks.create': 'command',
  'tasks.read': 'read',
  'tasks.edit': 'write',
  'tasks.transition': 'command',
  'tasks.transitionMany': 'command',
  'deliveryRuns.list': 'list',
  'deliveryRuns.create': 'command',
  'deliveryRuns.read': 'read',
  'deliveryRuns.edit': 'command',
  'deliveryRuns.delete': 'write',
  'deliveryRuns.addTasks': 'command',
  'deliveryRuns.removeTask': 'write',
  'pickupPoints.groupedPickup': 'command',
  'webhookDeliveries.list': 'list',
  'webhookDeliveries.read': 'read',
  'webhookDeliveries.replay': 'webhook_replay',
  'webhookDeliveries.replayMany': 'replay_many',
  'organizations.testWebhook': 'webhook_test',
  'auditEvents.list': 'list',
  'auditEvents.read': 'read',
  'commands.read': 'read',
  'board.read': 'board',
  'changes.read': 'board',
  'drivers.locate': 'position',
  'drivers.positions': 'list',
  'drivers.list': 'list',
  'drivers.create': 'write',
  'drivers.read': 'read',
  'drivers.edit': 'write',
  'drivers.delete': 'write',
  'pickupPoints.list': 'list',
  'pickupPoints.create': 'write',
  'pickupPoints.read': 'read',
  'pickupPoints.edit': 'write',
  'pickupPoints.delete': 'write',
  'geocode.search': 'geocode',
  'geocode.reverse': 'geocode',
  'merchants.list': 'list',
  'merchants.create': 'write',
  'merchants.read': 'read',
  'merchants.edit': 'write',
  'merchants.delete': 'write',
  'zones.list': 'list',
  'zones.create': 'write',
  'zones.read': 'read',
  'zones.edit': 'write',
  'zones.delete': 'write',
  'organizations.read': 'read',
  'organizations.edit': 'account',
  'organizations.rollApiKey': 'account',
  'organizations.readWebhookSecret': 'read',
  'users.readMe': 'read',
  'users.changeOwnPassword': 'account',
  'users.readOwnFactor': 'read',
  'users.offerOwnFactor': 'account',
  'users.confirmOwnFactor': 'account',
  'users.removeOwnFactor': 'account',
  'users.replaceRecoveryCodes': 'account',
  'users.list': 'list',
  'users.create': 'account',
  'users.read': 'read',
  'users.edit': 'account',
  'users.delete': 'write',
  'external.createShipment': 'external',
  'external.readShipment': 'external',
};

/** The class of a request: the route's, but `search` where a list is asked with that parameter. */
export function requestClass(route: BudgetClass, isSearch: boolean): BudgetClass {
  return route === 'list' && isSearch ? 'search' : route;
}

/** The class that counts a route's requests; undefined where none does, or where the route has no entry. */
export function routeClass(operation: string): BudgetClass | undefined {
  const entry = ROUTE_BUDGETS[operation];
  return entry === 'external' || entry === 'sign_in' ? undefined : entry;
}

/** One process may take this part of a budget before it writes it: the bound by which several exceed a number together. */
const UNWRITTEN_PART = 1 / 20;

/** One of the one or two budgets that a request is counted against. */
export interface BudgetLine {
  /** Its name in the `RateLimit` headers: `list-user`, `list-organization`. */
  readonly policy: string;
  /** What is counted: class and whose, as the store keeps it. */
  readonly subject: string;
  /** Units that fit in the window. */
  readonly limit: number;
  /** Units that a process may take before it writes them; 0 where each request is counted in Postgres. */
  readonly unwrittenLimit: number;
}

/** The budgets of a user's request, its own before its organization's, each at `percent` of the table's number and at least 1. */
export function budgetLines(
  budgetClass: BudgetClass,
  who: { readonly userId: string; readonly organizationId: string },
  percent: number,
): readonly BudgetLine[] {
  const budget: Budget = BUDGETS[budgetClass];
  const line = (scope: 'user' | 'organization', id: string, units: number): BudgetLine => {
    const limit = Math.max(1, Math.round((units * percent) / 100));
    return {
      policy: `${budgetClass}-${scope}`,
      subject: `${budgetClass}:${scope}:${id}`,
      limit,
      unwrittenLimit: budget.isExact ? 0 : Math.floor(limit * UNWRITTEN_PART),
    };
  };
  return [
    ...(budget.user === null ? [] : [line('user', who.userId, budget.user)]),
    line('organization', who.organizationId, budget.organization),
  ];
}
