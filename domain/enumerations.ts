/**
 * The closed sets of words on the wire: those of contract «Enumerations», and where the contract leaves a set open
 * those of interpretations 2 and 12.
 */

export const SHIPMENT_STATUSES = [
  'pending_approval',
  'pending',
  'pickup_in_progress',
  'picked_up',
  'in_transit',
  'delivered',
  'returned',
  'cancelled',
] as const;
export type ShipmentStatus = (typeof SHIPMENT_STATUSES)[number];

export const TASK_TYPES = ['pickup', 'delivery', 'transfer', 'return'] as const;
export type TaskType = (typeof TASK_TYPES)[number];

export const TASK_STATUSES = [
  'waiting_for_pickup',
  'assigned_waiting',
  'pending',
  'assigned',
  'pickup_in_progress',
  'picked_up',
  'delivery_in_progress',
  'in_transit',
  'delivered',
  'failed',
  'cancelled',
] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];

export { TRANSITIONS } from './task.ts';
export type { Transition } from './task.ts';

/** What entries of a shipment's timeline tell. */
export const TIMELINE_EVENTS = [
  'created',
  'approved',
  'transition',
  'task_added',
  'deleted',
  'deadline_missed',
] as const;
export type TimelineEvent = (typeof TIMELINE_EVENTS)[number];

export const FAILURE_REASONS = [
  'recipient_absent',
  'phone_unreachable',
  'refused',
  'wrong_address',
  'address_unreachable',
  'postponed',
  'cannot_pay',
  'damaged',
  'lost',
  'wrong_item',
  'merchant_closed',
  'parcel_not_ready',
  'vehicle_breakdown',
  'weather',
  'other',
] as const;
export type FailureReason = (typeof FAILURE_REASONS)[number];

export const PRIORITIES = ['low', 'normal', 'high', 'urgent'] as const;
export type Priority = (typeof PRIORITIES)[number];

export const PACKAGE_SIZES = ['small', 'medium', 'large', 'extra_large'] as const;
export type PackageSize = (typeof PACKAGE_SIZES)[number];

export const RECIPIENT_TYPES = ['individual', 'company'] as const;
export type RecipientType = (typeof RECIPIENT_TYPES)[number];

export const UNIT_TYPES = ['unite', 'kg', 'litre', 'carton', 'palette'] as const;
export type UnitType = (typeof UNIT_TYPES)[number];

export const HANDLING_OPTIONS = [
  'fragile',
  'id_check',
  'signature_required',
  'keep_upright',
  'refrigerated',
  'do_not_bend',
] as const;
export type HandlingOption = (typeof HANDLING_OPTIONS)[number];

export const VEHICLE_TYPES = ['foot', 'bicycle', 'motorcycle', 'car', 'van', 'truck'] as const;
export type VehicleType = (typeof VEHICLE_TYPES)[number];

export const FEE_PAYERS = ['recipient', 'merchant'] as const;
export type FeePayer = (typeof FEE_PAYERS)[number];

export const RUN_STATUSES = ['draft', 'planned', 'in_progress', 'completed', 'cancelled'] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

export const PLANS = ['decouverte', 'pro', 'business', 'entreprise'] as const;
export type Plan = (typeof PLANS)[number];

/** The languages that people are shown, the first where they name none. */
export const LANGUAGES = ['fr', 'ar', 'en'] as const;
export type Language = (typeof LANGUAGES)[number];

/** How a shipment came to be: it decides whether approval is needed (interpretation 18). */
export const SHIPMENT_SOURCES = ['dashboard', 'import', 'external'] as const;
export type ShipmentSource = (typeof SHIPMENT_SOURCES)[number];

/** Narrows an untrusted word to one of a closed set. Never throws. */
export function isOneOf<Word extends string>(words: readonly Word[], value: unknown): value is Word {
  return words.some((word) => word === value);
}
