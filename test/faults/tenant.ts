import type { Database } from '../../store/connection.ts';
import { makeDriver, makeMerchant, makeOrganization, makePickupPoint, makeUser } from '../harness/make.ts';

/** The organization for which the clients act, with its credentials. */
export interface Tenant {
  readonly id: string;
  readonly webhookSecret: string;
  readonly apiKey: string;
  /** The token of an admin, who may do everything. */
  readonly token: string;
  readonly merchantToken: string;
  readonly driverIds: readonly string[];
  readonly pickupPointId: string;
  readonly merchantPickupPointId: string;
}

/** Makes an organization on Pro that is notified at `webhookUrl`, with two drivers, a merchant, and their pickup points. */
export async function makeTenant(database: Database, jwtSecret: string, webhookUrl: string): Promise<Tenant> {
  const service = { database, config: { jwtSecret } };
  const organization = await makeOrganization(service, { webhookUrl });
  const merchantId = await makeMerchant(service, organization);
  const admin = await makeUser(service, organization, 'ROLE_ORG_ADMIN');
  const merchant = await makeUser(service, organization, 'ROLE_MERCHANT', { merchantId });
  return {
    id: organization.id,
    webhookSecret: organization.webhookSecret,
    apiKey: organization.apiKey,
    token: admin.token,
    merchantToken: merchant.token,
    driverIds: [await makeDriver(service, organization), await makeDriver(service, organization)],
    pickupPointId: await makePickupPoint(service, organization),
    merchantPickupPointId: await makePickupPoint(service, organization, { merchantId }),
  };
}
