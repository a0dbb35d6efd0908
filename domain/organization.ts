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
  return (
    PLAN_HAS_WEBHOOKS[settings.plan] &&
    settings.webhookUrl !== null &&
    settings.webhookUrl.startsWith('https://') &&
    settings.isWebhookEnabled
  );
}
