import type { Sequelize } from 'sequelize';
import { defineDrivers } from './driver.ts';
import { defineMerchants } from './merchant.ts';
import { defineOrganizations } from './organization.ts';
import { definePickupPoints } from './pickup-point.ts';
import { defineUsers } from './user.ts';
import { defineZones } from './zone.ts';

/** Defines the models of one connection pool. */
export function defineModels(sequelize: Sequelize) {
  return {
    drivers: defineDrivers(sequelize),
    merchants: defineMerchants(sequelize),
    organizations: defineOrganizations(sequelize),
    pickupPoints: definePickupPoints(sequelize),
    users: defineUsers(sequelize),
    zones: defineZones(sequelize),
  } as const;
}

/** The models of the plain resources, each bound to the pool that it was defined for. */
export type Models = ReturnType<typeof defineModels>;
