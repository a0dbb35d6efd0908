import { SHEET_MESSAGES } from './sheet-messages.ts';

/**
 * What the service says of a rejected request: each sentence once, under the key that travels with it (decision 0038). Names in
 * braces are parameters. Keys are stable; a client that speaks another language has its own text for each, and shows the
 * sentence for one that it does not know.
 */
export const MESSAGES = {
  // A value.
  required: 'This field is required.',
  not_null: 'Must not be null.',
  absent_here: 'Must be absent or null here.',
  string: 'Must be a string.',
  not_empty: 'Must not be empty.',
  not_empty_parameter: 'Must not be empty; leave it out.',
  not_blank: 'Must not be blank.',
  at_most_characters: 'Must have at most {limit} characters.',
  at_least_characters: 'Must have at least {limit} characters.',
  unstorable: 'Must not contain NUL or unpaired surrogate characters.',
  email: 'Must be a valid email address, for example name@example.com.',
  https_url: 'Must be a URL that begins with https:// and has no white space.',
  phone_number:
    'Must be an international phone number with + and the country code, for example +33612345678.',
  tracking_number: 'Must be a tracking number: PREFIX-YYYYMMDD-XXXXXX.',
  visible_ascii: 'Must be 1 to 255 visible ASCII characters.',
  uuid: 'Must be a UUID.',
  iri: 'Must be an IRI, for example {example}.',
  task_reference: 'Must be the IRI or id of a task, for example {example}.',
  choice: 'Must be one of: {choices}.',
  other_choice: "'{value}' is not allowed; use one of: {choices}.",
  number: 'Must be a number.',
  number_too_large: 'Must be a smaller number.',
  number_infinite: 'Must be a finite number.',
  whole_number: 'Must be a whole number.',
  at_least: 'Must be at least {limit}.',
  at_most: 'Must be at most {limit}.',
  whole_number_between: 'Must be a whole number from {minimum} to {maximum}.',
  number_between: 'Must be a number from {minimum} to {maximum}.',
  at_most_decimals: 'Must have at most {limit} decimals.',
  amount: "Must be an amount: a string with two decimals, for example '1250.00'.",
  boolean: 'Must be true or false.',
  date: 'Must be an existing date, for example 2026-03-01.',
  date_time: 'Must be an existing date and time with offset, for example 2026-03-01T09:30:00+01:00.',
  after: 'Must be after {field}.',
  not_before: 'Must not be before {field}.',
  not_in_the_future: 'Must not be in the future.',
  too_far_ahead:
    'Must be at most {limit} ahead of now; it is {difference} ahead. Correct the clock that it comes from, or leave it out.',
  too_far_back:
    'Must be at most {limit} back; it is {difference} back. Send a later moment, or leave it out.',
  once: 'Must be given once. A filter takes several values when [] is added to its name.',

  // Lists and objects.
  list: 'Must be an array.',
  at_least_entries: 'Must have at least {limit} entries.',
  at_most_entries: 'Must have at most {limit} entries.',
  entry_required: 'An entry is required.',
  repeated_entry: 'Must not repeat an earlier entry.',
  object: 'Must be an object.',
  required_together: 'Required together with {fields}.',
  exactly_one_of: 'Send exactly one of {fields}.',
  not_both: 'Send either {field} or {other}, not both.',
  unknown_field: 'Unknown field; remove it.',
  misspelt_field: "Unknown field; did you mean '{nearest}'?",
  read_only: 'This field is read-only. {hint}',
  not_valid: 'Not valid.',

  // Zones.
  position: 'Must be a position: [longitude, latitude].',
  position_range: 'Must be longitude, from -180 to 180, then latitude, from -90 to 90.',
  too_many_positions: 'Must have at most {limit} positions; it has {count}.',
  ring_open: 'The ring is not closed: its last position must equal its first.',
  ring_crosses_itself: 'The ring crosses or touches itself.',
  ring_meets_another_ring: 'The ring crosses or touches another ring.',
  ring_outside: 'The hole is not inside the first ring.',
  ring_inside_another_hole: 'The hole is inside another hole.',

  // What a field refers to, or has to differ from.
  unknown_reference: 'There is no such {record} in your organization.',
  unknown_shipment: 'There is no such shipment.',
  no_driver_user: 'There is no active user with ROLE_DRIVER and this id in your organization.',
  email_taken: 'Another user has this email address; choose another.',
  code_taken: 'Another pickup point has this code; choose another.',
  run_reference_taken: 'Another run has this reference; choose another.',
  user_has_driver: 'This user already belongs to another driver.',
  wrong_password: 'This is not your current password.',
  totp_required: 'A code of your authenticator app is required: send it as totp.',
  totp_wrong: 'This code is wrong, too old or used already. Send the one that the app shows now.',
  own_factor_first: 'Set up your own second factor first; without it you could do nothing more.',
  common_password: 'This password is among those that are tried first; choose another.',
  time_zone: 'Must be an IANA time zone, for example Europe/Paris.',
  unknown_time_zone:
    'The database does not know this time zone; use its common name, for example Europe/Paris.',
  webhook_address: 'This address cannot be used: {reason}. Send a public HTTPS URL.',
  key_reused: 'This key was already used for a different request; use a new key.',
  key_repeated: 'Must be another key than those of the items before it.',
  one_file: 'Send exactly one file.',
  file_required: 'This field is required; send the workbook in it.',

  // Shipments and tasks.
  reason_required: 'A reason is required: send one of the listed reasons.',
  driver_required: 'A driver is required: send the IRI or id of a driver of your organization.',
  driver_unavailable: 'This driver is not available; choose another.',
  return_address_required:
    'Required: the shipment has neither a pickup nor a merchant with an address. Send the address to return the parcel to.',
  transition_not_allowed: "The {taskType} task is {taskStatus}; '{transition}' is not allowed. {advice}",
  shipment_ended: 'The shipment is {shipmentStatus}. {advice}',
  return_is_open: 'A return of the shipment is open; cancel it before you reactivate the task. {advice}',
  task_ended:
    'The {taskType} task is {taskStatus} and its shipment {shipmentStatus}; no transition is allowed.',
  task_fixed: 'The task is {taskStatus} and can no longer be changed.',
  shipment_fixed: 'The shipment is {shipmentStatus} and can no longer be {change}.',
  shipment_not_deletable: 'The shipment is {shipmentStatus}; a shipment that has ended cannot be deleted.',
  approved_already: 'The shipment has been approved; ask a dispatcher to change it.',
  pickup_point_fixed:
    'The pickup point can only be changed to another point, and only while the pickup is pending.',
  no_such_task: 'The shipment has no such task.',
  task_not_addable: 'The shipment is {shipmentStatus}; a {taskType} cannot be added.',
  detour_is_open: 'A {taskType} of the shipment is already open; only one at a time is allowed.',
  not_picked_up: 'The parcel has not been picked up yet.',
  task_not_addable_now: 'The delivery is {taskStatus}; for a {taskType} it must be one of: {fitting}.',
  command_dismissed: 'The command failed, and the service operator dismissed it. It has no effect.',
  command_pending: 'Accepted, still pending: see {command}.',
  too_many_commands: 'The shipment has {limit} undecided commands. Retry later.',

  // Delivery runs.
  run_status_derived: 'Must be draft, planned or cancelled; {runStatus} follows from the tasks.',
  run_started: 'The run is {runStatus}; its status can no longer be changed.',
  run_without_tasks: 'The run is {runStatus}; all its tasks are cancelled, so add others first.',
  run_closed: 'The run is {runStatus}; no more tasks can be added.',
  run_not_deletable: 'The run is {runStatus}; it can no longer be deleted.',
  run_driver_fixed: 'The run is {runStatus}; its driver can no longer be changed.',
  run_full: 'A run can have at most {limit} tasks.',
  run_order:
    'Name exactly the tasks of the run, in their new order; {adding} adds some, {removing} removes one.',
  not_in_run: 'The run has no such task.',
  started_in_run: 'The task is {taskStatus}; a task that has started stays in its run.',
  tasks_cannot_join: '{count} tasks cannot join the run.',
  in_other_run: 'Task {task} is in run {run}; remove it there first.',
  started_in_other_run:
    'Task {task} is in run {run} and {taskStatus}; a task that has started stays in its run.',
  failed_for_run: 'Task {task} has failed; reactivate it first.',
  ended_for_run: 'Task {task} is {taskStatus}.',
  shipment_reference: 'Must be the id or IRI of a shipment.',
  other_pickup_point: 'The shipment is not picked up at this point.',
  no_pickup: 'The shipment has no pickup.',
  no_pickup_yet: 'The shipment has no pickup yet; approve it first.',
  pickup_in_run: 'The pickup of the shipment is in run {run}.',
  pickup_not_open: 'The pickup of the shipment is no longer open: {taskStatus}.',
  nothing_to_collect: 'The point has no open pickup outside a run.',

  // Records and people.
  not_found: 'There is no such {record}.',
  no_resource: 'There is no resource at this path.',
  foreign: 'This {record} belongs to another organization.',
  foreign_organization: 'You belong to another organization.',
  not_yours: 'This {record} is not yours.',
  role_may_not: '{role} may not do this.',
  role_may_not_follow: '{role} may not follow this topic.',
  role_no_longer: 'The role of the user no longer allows this command.',
  user_disabled: 'The user who sent this command is disabled.',
  step_up_required: 'Give your password again before this: POST /desk/api/session/step-up.',
  second_factor_missing:
    'Your organization requires a second factor, and you have none yet. Set it up at the console, or at /users/me/second-factor.',
  second_factor_on: 'You have a second factor already. Remove it first.',
  second_factor_not_offered: 'There is no new second factor to confirm. Ask for one first.',
  second_factor_off: 'You have no second factor.',
  driver_may_not: 'A driver cannot apply {transition}; a dispatcher can.',
  not_own_task: 'The task is not assigned to this driver.',
  other_origin:
    'Only pages of this origin may send this request: Sec-Fetch-Site must be same-origin, or Origin the public address of the service.',
  header_missing: 'Send the header {header}, with any value.',
  stale: 'The record has changed since you read it. Read it again, then repeat your change.',
  current: 'If-None-Match names the current state of the record; nothing was changed.',
  changed_meanwhile:
    'The {record} was changed by another request at the same time. Read it again, then repeat your change.',
  deleted_since:
    'The {record} that the request with this Idempotency-Key created has been deleted. Use a new key.',
  in_progress: 'The first request with this Idempotency-Key is still in progress; retry in a moment.',
  password_changed_meanwhile:
    'Another request changed the password at the same time; sign in with the new one.',
  last_admin: 'This is the last active admin of the organization. Create another one first.',
  driver_has_tasks:
    'The driver has open tasks. Unassign them, assign them to another driver or cancel them, then delete the driver.',

  // Webhooks, geocoder, imports.
  webhook_pending: 'The notification is still being sent; it can be sent again once that has ended.',
  webhook_erased: 'A person was erased from the notification; it can no longer be sent again.',
  webhook_no_address: 'The organization has no webhookUrl; set an https:// address with PATCH {path}.',
  webhook_not_in_plan: 'The plan of the organization does not include webhooks.',
  webhook_disabled: 'Webhooks are disabled; set isWebhookEnabled with PATCH {path}.',
  geocoder_not_set: 'No geocoder is set. Set coordinates by hand, or have GEOCODER_URL set.',
  geocoder_unavailable: 'The geocoder is unavailable. Retry in a moment.',
  import_abandoned: 'The import ended before it was complete. Nothing was created. Send the file again.',
  too_many_imports: 'Too many workbooks are being read. Retry in a moment.',
  file_too_large: 'The file is larger than {megabytes} MB.',
  ...SHEET_MESSAGES,
} as const;

export type MessageKey = keyof typeof MESSAGES;

/** The sentences that say of which form a text must be. */
export const TEXT_FORMS = [
  'email',
  'https_url',
  'phone_number',
  'tracking_number',
  'visible_ascii',
] as const satisfies readonly MessageKey[];
export type TextForm = (typeof TEXT_FORMS)[number];

/** The names in braces of a sentence. */
type NamesIn<Sentence extends string> = Sentence extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

export type MessageParameters = Readonly<Record<string, string | number>>;
type ParametersOf<Key extends MessageKey> = Readonly<
  Record<NamesIn<(typeof MESSAGES)[Key]>, string | number>
>;

/** A sentence of the table, with what a client needs to say it in another language. */
export interface Said {
  readonly message: string;
  /** Absent in what an earlier build kept. */
  readonly messageKey?: MessageKey;
  readonly parameters?: MessageParameters;
}

/** Says a message of the table; the compiler asks for the parameters that it has. */
export function say<Key extends MessageKey>(
  messageKey: Key,
  ...given: [NamesIn<(typeof MESSAGES)[Key]>] extends [never] ? [] : [ParametersOf<Key>]
): Said {
  const parameters: MessageParameters | undefined = given[0];
  if (parameters === undefined) return { message: MESSAGES[messageKey], messageKey };
  const message = MESSAGES[messageKey].replace(/\{(\w+)\}/gu, (_braces, name: string) =>
    String(parameters[name]),
  );
  return { message, messageKey, parameters };
}

/** Says a message of the table in a sentence that knows more: which of several, where in a file. */
export function sayAs(message: string, said: Said): Said {
  return { ...said, message };
}

export function isMessageKey(key: unknown): key is MessageKey {
  return typeof key === 'string' && Object.hasOwn(MESSAGES, key);
}

/** Whether a value that was on its way through a library is a sentence. */
export function isSaid(value: unknown): value is Said {
  return (
    typeof value === 'object' && value !== null && 'messageKey' in value && isMessageKey(value.messageKey)
  );
}
