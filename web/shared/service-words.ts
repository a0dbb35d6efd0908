import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { MessageKey } from '../../domain/messages.ts';

/** Sentences for the authors of other clients: the console sends nothing that is answered so, or has words of its own. */
type ForAuthors =
  | 'absent_here'
  | 'boolean'
  | 'command_pending'
  | 'current'
  | 'entry_required'
  | 'exactly_one_of'
  | 'header_missing'
  | 'key_repeated'
  | 'list'
  | 'misspelt_field'
  | 'no_pickup'
  | 'no_pickup_yet'
  | 'not_both'
  | 'not_empty_parameter'
  | 'object'
  | 'once'
  | 'one_file'
  | 'other_pickup_point'
  | 'pickup_in_run'
  | 'pickup_not_open'
  | 'position'
  | 'read_only'
  | 'ring_open'
  | 'shipment_reference'
  | 'string'
  | 'task_reference'
  | 'too_far_ahead'
  | 'too_far_back'
  | 'tracking_number'
  | 'unknown_field'
  | 'uuid'
  | 'visible_ascii';

/**
 * What the service's sentences say to a dispatcher (decision 0038), read by service-text.ts. The compiler finds a key without a
 * text. They have a catalogue of their own, `locales/<language>/service.po`, which the first screen does not wait for.
 */
export const SERVICE_WORDS: Readonly<Record<Exclude<MessageKey, ForAuthors>, MessageDescriptor>> = {
  required: msg`This field is required.`,
  not_null: msg`This field is required.`,
  not_empty: msg`This field is required.`,
  not_blank: msg`This field is required.`,
  at_most_characters: msg({ message: 'At most {limit} characters.' }),
  at_least_characters: msg({ message: 'At least {limit} characters.' }),
  unstorable: msg`It contains characters that cannot be stored. Type it again.`,
  email: msg`Write an email address, such as name@example.com.`,
  https_url: msg`The address must begin with https:// and have no spaces.`,
  phone_number: msg`Write the phone number with + and the country code, such as +33612345678.`,
  iri: msg`Choose one from the list.`,
  choice: msg`Choose one from the list.`,
  other_choice: msg({ message: '“{value}” is not possible. Use one of: {choices}.' }),
  number: msg`Must be a number.`,
  number_too_large: msg`This number is too large.`,
  number_infinite: msg`This number is too large.`,
  whole_number: msg`Must be a whole number.`,
  at_least: msg({ message: 'Must be at least {limit}.' }),
  at_most: msg({ message: 'Must be at most {limit}.' }),
  whole_number_between: msg({ message: 'Must be a whole number from {minimum} to {maximum}.' }),
  number_between: msg({ message: 'Must be a number from {minimum} to {maximum}.' }),
  at_most_decimals: msg({ message: 'At most {limit} decimals.' }),
  amount: msg`Must be an amount with two decimals, such as 1250.00.`,
  date: msg`This day does not exist.`,
  date_time: msg`This day or time does not exist.`,
  after: msg`Must be later than the beginning.`,
  not_before: msg`Must not be before the beginning.`,
  not_in_the_future: msg`Must not be in the future.`,
  at_least_entries: msg({ message: 'At least {limit} are needed.' }),
  at_most_entries: msg({ message: 'At most {limit} are possible.' }),
  repeated_entry: msg`This is there twice.`,
  required_together: msg`This is needed together with the other field.`,
  not_valid: msg`This is not valid.`,
  position_range: msg`Latitude goes from -90 to 90, longitude from -180 to 180.`,
  too_many_positions: msg({ message: 'At most {limit} corners; there are {count}.' }),
  ring_crosses_itself: msg`The border crosses itself.`,
  ring_meets_another_ring: msg`Two borders of the zone cross.`,
  ring_outside: msg`A hole is outside of the zone.`,
  ring_inside_another_hole: msg`A hole is inside another hole.`,
  unknown_reference: msg`This no longer exists. Choose another one.`,
  unknown_shipment: msg`This shipment does not exist.`,
  no_driver_user: msg`Choose an active user with the role Driver.`,
  email_taken: msg`Another user has this email address.`,
  code_taken: msg`Another pickup point has this code.`,
  run_reference_taken: msg`Another run has this reference.`,
  user_has_driver: msg`This user belongs to another driver.`,
  wrong_password: msg`This is not your current password.`,
  totp_required: msg`Write the code that your app shows now.`,
  totp_wrong: msg`This code is wrong, too old or used already. Write the one that the app shows now.`,
  own_factor_first: msg`Set up a code for your own sign-in first, in the settings under “Sign-in”.`,
  common_password: msg`This password is among those that are tried first; choose another.`,
  time_zone: msg`This time zone does not exist; an example is Europe/Paris.`,
  unknown_time_zone: msg`This time zone does not exist; an example is Europe/Paris.`,
  webhook_address: msg`This address cannot be used. It must be public and begin with https://.`,
  key_reused: msg`Your earlier try may have been saved: its answer was lost. Look for it in the list; saving again can make another one.`,
  file_required: msg`Choose a file.`,
  reason_required: msg`Choose a reason.`,
  driver_required: msg`Choose a driver.`,
  driver_unavailable: msg`This driver is not available. Choose another one.`,
  return_address_required: msg`Write the address to which the parcel goes back.`,
  transition_not_allowed: msg({ message: 'Not possible now. The task is: {taskStatus}.' }),
  shipment_ended: msg({ message: 'The shipment has ended: {shipmentStatus}.' }),
  return_is_open: msg`A return of this shipment is open. Cancel it first.`,
  task_ended: msg({ message: 'Nothing more can be done. The task is: {taskStatus}.' }),
  task_fixed: msg({ message: 'The task can no longer be changed. It is: {taskStatus}.' }),
  shipment_fixed: msg({ message: 'The shipment can no longer be changed. It is: {shipmentStatus}.' }),
  shipment_not_deletable: msg({
    message: 'A shipment that has ended cannot be deleted. It is: {shipmentStatus}.',
  }),
  approved_already: msg`The shipment has been approved. Ask a dispatcher to change it.`,
  pickup_point_fixed: msg`Only another pickup point can be chosen, and only before the pickup has begun.`,
  no_such_task: msg`The shipment has no such task any more.`,
  task_not_addable: msg({ message: 'This task cannot be added. The shipment is: {shipmentStatus}.' }),
  detour_is_open: msg`A transfer or return of this shipment is still open.`,
  not_picked_up: msg`The parcel has not been picked up yet.`,
  task_not_addable_now: msg({ message: 'This task cannot be added now. The delivery is: {taskStatus}.' }),
  command_dismissed: msg`This could not be carried out, and has no effect.`,
  too_many_commands: msg`Too much is waiting for this shipment. Try again in a moment.`,
  run_status_derived: msg`This status follows from the tasks of the run.`,
  run_started: msg({ message: 'The status can no longer be changed. The run is: {runStatus}.' }),
  run_without_tasks: msg`All tasks of the run are cancelled. Add others first.`,
  run_closed: msg({ message: 'No more tasks can be added. The run is: {runStatus}.' }),
  run_not_deletable: msg({ message: 'The run can no longer be deleted. It is: {runStatus}.' }),
  run_driver_fixed: msg({ message: 'The driver can no longer be changed. The run is: {runStatus}.' }),
  run_full: msg({ message: 'A run can have at most {limit} tasks.' }),
  run_order: msg`The tasks of the run have changed meanwhile. Try again.`,
  not_in_run: msg`The task is no longer in this run.`,
  started_in_run: msg({ message: 'A task that has started stays in its run. It is: {taskStatus}.' }),
  tasks_cannot_join: msg`Some of these tasks have ended, have failed or are in another run.`,
  in_other_run: msg({ message: 'The task is in the run {run}. Remove it there first.' }),
  started_in_other_run: msg({ message: 'The task has started in the run {run} and stays there.' }),
  failed_for_run: msg`The task has failed. Try it again first.`,
  ended_for_run: msg({ message: 'The task has ended: {taskStatus}.' }),
  nothing_to_collect: msg`There is nothing to pick up here.`,
  not_found: msg`This does not exist, or no longer.`,
  no_resource: msg`This does not exist, or no longer.`,
  foreign: msg`This belongs to another organization.`,
  foreign_organization: msg`This belongs to another organization.`,
  not_yours: msg`You may not see or change this.`,
  role_may_not: msg`Your role does not allow this.`,
  role_may_not_follow: msg`Your role does not allow this.`,
  role_no_longer: msg`Your role does not allow this any more.`,
  user_disabled: msg`Your account has been disabled.`,
  step_up_required: msg`Nothing was done: your password is needed for this.`,
  second_factor_missing: msg`Your organization asks for a code at the sign-in. Set it up first.`,
  second_factor_on: msg`You have a code for the sign-in already. Remove it first.`,
  second_factor_not_offered: msg`This has been finished or begun again elsewhere. Begin again here.`,
  second_factor_off: msg`You have no code for the sign-in.`,
  driver_may_not: msg({ message: 'A driver cannot do this: {transition}.' }),
  not_own_task: msg`The task is no longer yours.`,
  other_origin: msg`This page is open under another address than the service expects. Open it from its own address.`,
  stale: msg`Someone has changed this meanwhile. Look at it again, then repeat your change.`,
  changed_meanwhile: msg`Someone has changed this meanwhile. Look at it again, then repeat your change.`,
  deleted_since: msg`What you created has been deleted meanwhile.`,
  in_progress: msg`The same request is still being carried out. Try again in a moment.`,
  password_changed_meanwhile: msg`The password was changed at the same time. Sign in with the new one.`,
  last_admin: msg`This is the last active administrator. Create another one first.`,
  driver_has_tasks: msg`The driver still has open tasks. Give them to another driver first.`,
  webhook_pending: msg`It is still being sent. It can be sent again after that.`,
  webhook_erased: msg`A person was erased from it. It cannot be sent again.`,
  webhook_no_address: msg`There is no address to send to. Set it in the settings of the organization.`,
  webhook_not_in_plan: msg`Your plan does not include webhooks.`,
  webhook_disabled: msg`Webhooks are switched off in the settings of the organization.`,
  geocoder_not_set: msg`Addresses cannot be searched here. Set the place on the map.`,
  geocoder_unavailable: msg`Addresses cannot be searched now. Try again in a moment.`,
  import_abandoned: msg`The import ended too early. Nothing was created. Send the file again.`,
  too_many_imports: msg`Too many files are being read. Try again in a moment.`,
  file_too_large: msg({ message: 'The file is larger than {megabytes} MB.' }),
  workbook_not_xlsx: msg`This is not an Excel workbook (.xlsx). Save the sheet as .xlsx and send that file.`,
  workbook_other_format: msg({
    message:
      'This is not an Excel workbook (.xlsx), but: {format}. Save the sheet as .xlsx and send that file.',
  }),
  workbook_encrypted: msg`The workbook is protected by a password. Remove it and send the file again.`,
  workbook_macro: msg`The workbook contains macros. Save it as .xlsx without macros and send that file.`,
  workbook_external_links: msg`The workbook refers to other workbooks. Paste the sheet as values into a new one and send that file.`,
  workbook_entities: msg`The workbook cannot be read. Save it again as .xlsx and send that file.`,
  workbook_truncated: msg`The workbook is incomplete. Copy or download it again and send it whole.`,
  workbook_damaged: msg`The workbook is damaged. Open it in a spreadsheet program, save it again as .xlsx and send that file.`,
  workbook_damaged_row: msg({
    message:
      'The workbook is damaged at row {row}. Open it in a spreadsheet program, save it again as .xlsx and send that file.',
  }),
  workbook_no_file: msg`The file is empty. Choose an Excel workbook (.xlsx).`,
  workbook_empty: msg({
    message: 'There is nothing in the sheet “{sheet}”. Download the template, fill it in and send it.',
  }),
  workbook_no_header: msg({
    message:
      'The sheet “{sheet}” has no header row: none of its first rows names a column such as {column}. Download the template, fill it in and send it.',
  }),
  workbook_too_large: msg`The workbook is too large. Delete what is not needed, or split it into several.`,
  workbook_megabytes: msg({ message: 'The file is larger than {megabytes} MB. Split it into several.' }),
  workbook_parts: msg({
    message: 'The workbook has {count} parts; at most {limit} can be read. Delete other sheets and pictures.',
  }),
  workbook_unpacked: msg({
    message:
      'The workbook holds {megabytes} MB; at most {limit} MB can be read. Delete pictures, other sheets and blank rows, or split it into several.',
  }),
  workbook_columns: msg({
    message:
      'Row {row} has a value in the column {column}. Only the columns up to {lastColumn} can be read: delete those beyond.',
  }),
  workbook_long_text: msg({ message: 'A cell has more than {limit} characters. Shorten it.' }),
  workbook_long_cell: msg({ message: 'Row {row} has a cell of more than {limit} characters. Shorten it.' }),
  workbook_characters: msg({
    message: 'The cells hold more than {millions} million characters. Split the file into several.',
  }),
  workbook_merged: msg({
    message: 'The merged cells {range} cover more than {limit} cells. Unmerge them and save the file again.',
  }),
  workbook_time: msg`The workbook takes too long to read. Split it into several smaller ones.`,
  workbook_memory: msg`The workbook needs too much memory. Split it into several smaller ones.`,
  workbook_too_many_rows: msg({
    message: 'The sheet has more than {limit} shipments. Split it into several files.',
  }),
  workbook_blank_rows: msg({
    message:
      'The sheet has more than {limit} rows, most of them blank. Delete the rows below the last shipment and save the file again.',
  }),
  sheet_without_rows: msg({ message: 'The sheet “{sheet}” has a header and no shipments below it.' }),
  sheets_ignored: msg({ message: 'Only the sheet “{sheet}” was read. Left out: {others}.' }),
  hidden_rows: msg({ message: 'Hidden rows were read like the others: {rows}.' }),
  more_hidden_rows: msg({ message: 'Hidden rows were read like the others: {rows} and {count} more.' }),
  unknown_columns: msg({ message: 'Unknown columns, left out: {columns}.' }),
  same_reference: msg({ message: 'Row {row} has the same reference. Both rows will be created.' }),
  cell_missing: msg`The column or its value is missing.`,
  cell_columns_repeated: msg({
    message: 'The columns {columns} mean the same. Delete or rename all but one.',
  }),
  cell_not_calculated: msg`The formula has no result. Open the file in a spreadsheet program, save it and send it again.`,
  cell_formula_error: msg({ message: 'The formula gives {error}. Correct it, or write the value itself.' }),
  cell_merged_amount: msg({
    message: 'The amount is merged over several rows from row {row} on. Write the amount of each row.',
  }),
  cell_too_long: msg({ message: 'The value has {count} characters; at most {limit} are possible.' }),
  cell_became_date: msg({
    message:
      'The spreadsheet program made a date of it ({value}). Format the column as text and write it again.',
  }),
  cell_digits_lost: msg`Spreadsheets keep 15 digits of a number; the others are lost. Format the column as text and write it again.`,
  cell_no_phone_number: msg({
    message: '{value} is not a phone number. Write it with + and the country code, in a column of text.',
  }),
  cell_phone_is_number: msg({
    message:
      'The cell is a number, so that + or 0 at its beginning may be lost ({value}). Write it with + and the country code, in a column of text.',
  }),
  cell_phone_without_country: msg({
    message: 'The country is missing ({value}). Write it with + and the country code, in a column of text.',
  }),
  cell_postal_code_is_number: msg({
    message:
      'The cell is a number, so that 0 at its beginning may be lost ({value}). Format the column as text and write it again.',
  }),
  cell_no_number: msg({ message: '“{value}” is not a number. Write digits only, without a unit.' }),
  cell_ambiguous_amount: msg({
    message: '“{value}” can be read in two ways. Write thousands without a separator: 1234 or 1.23.',
  }),
  cell_no_amount: msg({
    message: '“{value}” is not an amount. Write digits only, without a currency: 1250.50.',
  }),
  cell_large_amount: msg`The amount is too large.`,
  cell_amount_decimals: msg({ message: '{value} has more than 2 decimals.' }),
  cell_too_many_values: msg({ message: 'The cell lists {count} values. Write each option once.' }),
  cell_no_pickup_point: msg({
    message: '“{value}” names no pickup point, or more than one. Write its code.',
  }),
  cell_no_merchant: msg({ message: '“{value}” names no merchant, or more than one. Write its exact name.' }),
  cell_date_is_number: msg({
    message: 'The cell is a number ({value}). Format it as a date, or write for example 2026-03-12 14:00.',
  }),
  cell_ambiguous_date: msg({
    message: '“{value}” can be read as two dates. Write it as 2026-03-12 or 2026-03-12 14:00.',
  }),
  cell_no_date: msg({
    message: '“{value}” is not a date and time. Write it as 2026-03-12 or 2026-03-12 14:00.',
  }),
};
