import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { ComponentType } from 'react';
import { lazy } from 'react';
import type { Action } from '../../../domain/permission.ts';

/** A part of the settings: its address below /settings, its name, and what a role must be allowed. */
export interface SettingsSection {
  readonly name: string;
  readonly title: MessageDescriptor;
  readonly action: Action;
  readonly Section: ComponentType;
}

/** The sections in their order; a role sees those that it may use. */
export const SECTIONS: readonly SettingsSection[] = [
  {
    name: 'organization',
    title: msg`Organization`,
    action: 'organization.edit',
    Section: lazy(() => import('./organization.tsx')),
  },
  {
    name: 'prices',
    title: msg`Prices and deadlines`,
    action: 'organization.edit',
    Section: lazy(() => import('./prices.tsx')),
  },
  {
    name: 'pickup-points',
    title: msg`Pickup points`,
    action: 'pickup_point.write',
    Section: lazy(() => import('./pickup-points.tsx')),
  },
  { name: 'zones', title: msg`Zones`, action: 'zone.write', Section: lazy(() => import('./zones.tsx')) },
  {
    name: 'merchants',
    title: msg`Merchants`,
    action: 'merchant.write',
    Section: lazy(() => import('./merchants.tsx')),
  },
  { name: 'users', title: msg`Users`, action: 'user.manage', Section: lazy(() => import('./users.tsx')) },
  {
    name: 'webhook',
    title: msg`Webhook`,
    action: 'organization.edit',
    Section: lazy(() => import('./webhook.tsx')),
  },
  {
    name: 'api-key',
    title: msg`API key`,
    action: 'organization.roll_key',
    Section: lazy(() => import('./api-key.tsx')),
  },
  {
    name: 'password',
    title: msg`Password`,
    action: 'user.change_own_password',
    Section: lazy(() => import('./password.tsx')),
  },
  {
    name: 'sign-in',
    title: msg`Sign-in`,
    action: 'user.change_own_factor',
    Section: lazy(() => import('./sign-in.tsx')),
  },
  {
    name: 'language',
    title: msg`Language`,
    action: 'user.read_self',
    Section: lazy(() => import('./language.tsx')),
  },
];
