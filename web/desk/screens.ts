import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { ComponentType } from 'react';
import { lazy } from 'react';
import type { Action } from '../../domain/permission.ts';
import { withTexts } from '../shared/activate-language.ts';

/** A screen of the console: its address below /desk, its name, what a role must be allowed, and the code that shows it. */
export interface ScreenDefinition {
  readonly path: string;
  readonly title: MessageDescriptor;
  /** Null: for everybody who is signed in. */
  readonly action: Action | null;
  readonly Screen: ComponentType;
}

type Row = Omit<ScreenDefinition, 'Screen'> & {
  readonly load: () => Promise<{ readonly default: ComponentType }>;
};

const ROWS: readonly Row[] = [
  {
    path: '/board',
    title: msg`Board`,
    action: 'delivery_run.write',
    load: () => import('./board/screen.tsx'),
  },
  {
    path: '/shipments',
    title: msg`Shipments`,
    action: 'shipment.list',
    load: () => import('./shipments/screen.tsx'),
  },
  {
    path: '/runs',
    title: msg`Runs`,
    action: 'delivery_run.write',
    load: () => import('./runs/screen.tsx'),
  },
  {
    path: '/drivers',
    title: msg`Drivers`,
    action: 'driver.list',
    load: () => import('./drivers/screen.tsx'),
  },
  {
    path: '/approvals',
    title: msg`Approvals`,
    action: 'shipment.approve',
    load: () => import('./approvals/screen.tsx'),
  },
  {
    path: '/import',
    title: msg`Import`,
    action: 'shipment.import',
    load: () => import('./import/screen.tsx'),
  },
  {
    path: '/webhooks',
    title: msg`Webhooks`,
    action: 'webhook.read',
    load: () => import('./webhooks/screen.tsx'),
  },
  {
    path: '/settings',
    title: msg`Settings`,
    action: null,
    load: () => withTexts('settings', () => import('./settings/screen.tsx')),
  },
];

/** Every screen, once: navigation, routes and the palette read these rows. The first that a role may use is its home. */
export const SCREENS: readonly ScreenDefinition[] = ROWS.map(({ load, ...row }) => ({
  ...row,
  Screen: lazy(load),
}));

/**
 * Loads the code of the screen at an address, else of the home of most people, before it is known who asks: it is there when they
 * have signed in. What fails is loaded again when it is shown.
 */
export function loadEarly(address: string): void {
  const row = ROWS.find(({ path }) => address.startsWith(`/desk${path}`)) ?? ROWS[0];
  row?.load().catch(() => undefined);
}

/** Where a role begins. */
export function homeOf(screens: readonly ScreenDefinition[]): string {
  return screens[0]?.path ?? '/settings';
}
