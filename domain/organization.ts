import type { Plan } from './enumerations.ts';

/** Whether a plan includes webhooks (contract rule 3). */
export const PLAN_HAS_WEBHOOKS = {
  decouverte: false,
  pro: true,
  business: true,
  entreprise: true,
} as const satisfies Record<Plan, boolean>;

/** `whsec_` and 40 hex characters (contract «Organization»). */
export const WEBHOOK_SECRET_PATTERN = '^whsec_[0-9a-f]{40}$';
export const WEBHOOK_SECRET_BYTES = 20;

/** Writes 20 random bytes as a webhook secret. */
export function webhookSecret(randomHex: string): string {
  return `whsec_${randomHex}`;
}

/** What the three delivery conditions look at. */
export interface WebhookSettings {
  readonly plan: Plan;
  readonly webhookUrl: string | null;
  readonly isWebhookEnabled: boolean;
}

/**
 * The three delivery conditions (contract «Delivery conditions»): the plan includes webhooks,
 * an HTTPS URL is set, and notifications are on. All must hold.
 */
export function webhooksAreOn(settings: WebhookSettings): boolean {
  return obstacleToWebhooks(settings) === undefined;
}

/** Says which of the delivery conditions does not hold, the first one, and what to do; undefined when all hold. */
export function obstacleToWebhooks(settings: WebhookSettings): string | undefined {
  if (!PLAN_HAS_WEBHOOKS[settings.plan]) return 'The plan of the organization does not include webhooks.';
  if (settings.webhookUrl?.startsWith('https://') !== true) {
    return 'The organization has no webhookUrl; set an https:// address with PATCH /organizations/{id}.';
  }
  if (settings.isWebhookEnabled) return undefined;
  return 'Notifications are off; set isWebhookEnabled with PATCH /organizations/{id}.';
}
