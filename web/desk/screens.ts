import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { ComponentType } from 'react';
import { lazy } from 'react';
import type { Action } from '../../domain/permission.ts';

/** A screen of the console: its address below /desk, its name, what a role must be allowed, and the code that shows it. */
export interface ScreenDefinition {
  readonly path: string;
  readonly title: MessageDescriptor;
  /** Null: for everybody who is signed in. */
  readonly action: Action | null;
  readonly Screen: ComponentType;
}

/** Every screen, once: navigation, routes and the palette read these rows. The first that a role may use is its home. */
export const SCREENS: readonly ScreenDefinition[] = [
  {
    path: '/board',
    title: msg`Board`,
    action: 'delivery_run.write',
    Screen: lazy(() => import('./board/screen.tsx')),
  },
  {
    path: '/shipments',
    title: msg`Shipments`,
    action: 'shipment.list',
    Screen: lazy(() => import('./shipments/screen.tsx')),
  },
  {
    path: '/runs',
    title: msg`Runs`,
    action: 'delivery_run.write',
    Screen: lazy(() => import('./runs/screen.tsx')),
  },
  {
    path: '/drivers',
    title: msg`Drivers`,
    action: 'driver.list',
    Screen: lazy(() => import('./drivers/screen.tsx')),
  },
  {
    path: '/approvals',
    title: msg`Approvals`,
    action: 'shipment.approve',
    Screen: lazy(() => import('./approvals/screen.tsx')),
  },
  {
    path: '/import',
    title: msg`Import`,
    action: 'shipment.import',
    Screen: lazy(() => import('./import/screen.tsx')),
  },
  {
    path: '/webhooks',
    title: msg`Webhooks`,
    action: 'webhook.read',
    Screen: lazy(() => import('./webhooks/screen.tsx')),
  },
  {
    path: '/settings',
    title: msg`Settings`,
    action: null,
    Screen: lazy(() => import('./settings/screen.tsx')),
  },
];

/** Where a role begins. */
export function homeOf(screens: readonly ScreenDefinition[]): string {
  return screens[0]?.path ?? '/settings';
}
