import type { Checks } from './checks.ts';
import type { Answer, Caller, ServiceClient } from './client.ts';
import { faultsOfOrganization } from './contract.ts';
import type { Organization } from './deployment.ts';
import { neededText, StoryStopped, textAt, valueAt } from './reading.ts';

/** What an organization has set about its notifications. */
export interface WebhookSettings {
  readonly webhookUrl: string | null;
  readonly isWebhookEnabled: boolean;
}

/** An admin's hands on the organization's webhook settings; what was found can be restored. */
export class SettingsDesk {
  readonly #client: ServiceClient;
  readonly #admin: Caller;
  readonly #organization: Organization;
  #found: WebhookSettings | undefined;

  constructor(client: ServiceClient, admin: Caller, organization: Organization) {
    this.#client = client;
    this.#admin = admin;
    this.#organization = organization;
  }

  /** Notes what is set, to be restored, and resolves to the secret. A merge patch of nothing changes nothing. */
  async open(checks: Checks): Promise<{ readonly webhookSecret: string }> {
    const answer = await this.#patch({});
    if (answer.status !== 200) {
      throw new StoryStopped(
        `The organization cannot be read: ${answer.status} ${textAt(answer.body, 'detail')}`,
      );
    }
    checks.faultless(faultsOfOrganization(answer.body), 'the organization');
    checks.same(valueAt(answer.body, 'hasWebhooks'), true, 'hasWebhooks on this plan');
    this.#found = settingsOf(answer.body);
    return { webhookSecret: neededText(answer.body, 'webhookSecret') };
  }

  /** Sets both settings and checks the answer. */
  async set(settings: WebhookSettings, checks: Checks): Promise<void> {
    const answer = await this.#patch(settings);
    checks.same(answer.status, 200, 'PATCH /organizations/{id}');
    checks.same(settingsOf(answer.body), settings, 'the webhook settings');
  }

  /** Leaves the organization as it was found; does nothing where it was never opened. */
  async restore(): Promise<void> {
    if (this.#found !== undefined) await this.#patch(this.#found);
    this.#found = undefined;
  }

  #patch(body: unknown): Promise<Answer> {
    return this.#client.send(this.#admin, 'PATCH', `/organizations/${this.#organization.id}`, body);
  }
}

function settingsOf(organization: unknown): WebhookSettings {
  return {
    webhookUrl:
      valueAt(organization, 'webhookUrl') === null ? null : textAt(organization, 'webhookUrl') || null,
    isWebhookEnabled: valueAt(organization, 'isWebhookEnabled') === true,
  };
}
