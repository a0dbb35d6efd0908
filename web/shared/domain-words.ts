import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type {
  FailureReason,
  FeePayer,
  HandlingOption,
  PackageSize,
  Priority,
  RecipientType,
  RunStatus,
  ShipmentStatus,
  TaskStatus,
  TaskType,
  Transition,
  UnitType,
  VehicleType,
} from '../../domain/enumerations.ts';
import type { UserRole } from '../../domain/permission.ts';

/** One text for each word of the domain: every screen shows the same. The compiler finds a word without a text. */
type Words<Word extends string> = Readonly<Record<Word, MessageDescriptor>>;

export const TASK_STATUS_WORDS: Words<TaskStatus> = {
  waiting_for_pickup: msg`Waits for pickup`,
  assigned_waiting: msg`Assigned, waits for pickup`,
  pending: msg`Not assigned`,
  assigned: msg`Assigned`,
  pickup_in_progress: msg`On the way to pickup`,
  picked_up: msg`Picked up`,
  delivery_in_progress: msg`On the way`,
  in_transit: msg`In transit`,
  delivered: msg`Delivered`,
  failed: msg`Failed`,
  cancelled: msg`Cancelled`,
};

export const SHIPMENT_STATUS_WORDS: Words<ShipmentStatus> = {
  pending_approval: msg`Awaiting approval`,
  pending: msg`To do`,
  pickup_in_progress: msg`Being picked up`,
  picked_up: msg`Picked up`,
  in_transit: msg`In transit`,
  delivered: msg`Delivered`,
  returned: msg`Returned`,
  cancelled: msg`Cancelled`,
};

export const TASK_TYPE_WORDS: Words<TaskType> = {
  pickup: msg`Pickup`,
  delivery: msg`Delivery`,
  transfer: msg`Transfer`,
  return: msg`Return`,
};

/** What a button that applies the transition says. */
export const TRANSITION_WORDS: Words<Transition> = {
  assign: msg`Assign`,
  unassign: msg`Unassign`,
  start_approach: msg`Start towards pickup`,
  pick_up: msg`Mark as picked up`,
  start_delivery: msg`Start delivery`,
  start_delivery_approach: msg`Start towards recipient`,
  start_transit: msg`Start transit`,
  deliver: msg`Mark as delivered`,
  fail: msg`Mark as failed`,
  cancel: msg`Cancel task`,
  reactivate: msg`Try again`,
};

export const FAILURE_REASON_WORDS: Words<FailureReason> = {
  recipient_absent: msg`Recipient absent`,
  phone_unreachable: msg`Phone does not answer`,
  refused: msg`Refused by recipient`,
  wrong_address: msg`Wrong address`,
  address_unreachable: msg`Address cannot be reached`,
  postponed: msg`Postponed by recipient`,
  cannot_pay: msg`Recipient cannot pay`,
  damaged: msg`Damaged`,
  lost: msg`Lost`,
  wrong_item: msg`Wrong item`,
  merchant_closed: msg`Merchant closed`,
  parcel_not_ready: msg`Parcel not ready`,
  vehicle_breakdown: msg`Vehicle breakdown`,
  weather: msg`Weather`,
  other: msg`Other reason`,
};

export const ROLE_WORDS: Words<UserRole> = {
  ROLE_ORG_ADMIN: msg`Administrator`,
  ROLE_DISPATCHER: msg`Dispatcher`,
  ROLE_MERCHANT: msg`Merchant`,
  ROLE_DRIVER: msg`Driver`,
};

export const PRIORITY_WORDS: Words<Priority> = {
  low: msg`Low`,
  normal: msg`Normal`,
  high: msg`High`,
  urgent: msg`Urgent`,
};

export const PACKAGE_SIZE_WORDS: Words<PackageSize> = {
  small: msg`Small`,
  medium: msg`Medium`,
  large: msg`Large`,
  extra_large: msg`Extra large`,
};

export const RECIPIENT_TYPE_WORDS: Words<RecipientType> = {
  individual: msg`Person`,
  company: msg`Company`,
};

export const UNIT_WORDS: Words<UnitType> = {
  unite: msg`pcs`,
  kg: msg`kg`,
  litre: msg`litre`,
  carton: msg`box`,
  palette: msg`pallet`,
};

export const HANDLING_WORDS: Words<HandlingOption> = {
  fragile: msg`Fragile`,
  id_check: msg`Check identity`,
  signature_required: msg`Signature required`,
  keep_upright: msg`Keep upright`,
  refrigerated: msg`Keep cold`,
  do_not_bend: msg`Do not bend`,
};

export const VEHICLE_WORDS: Words<VehicleType> = {
  foot: msg`On foot`,
  bicycle: msg`Bicycle`,
  motorcycle: msg`Motorcycle`,
  car: msg`Car`,
  van: msg`Van`,
  truck: msg`Truck`,
};

export const FEE_PAYER_WORDS: Words<FeePayer> = {
  recipient: msg`Recipient pays the fee`,
  merchant: msg`Merchant pays the fee`,
};

export const RUN_STATUS_WORDS: Words<RunStatus> = {
  draft: msg`Draft`,
  planned: msg`Planned`,
  in_progress: msg`Under way`,
  completed: msg`Completed`,
  cancelled: msg`Cancelled`,
};
