-- PostgreSQL is the ordered queue of commands: `number` is the order of acceptance, and a shipment's received commands are
-- decided in it (decision 0013). The reconciler finds what was left behind by `reconcile_after`, one index for each kind of
-- work, led by the organization so that it can be fair between organizations.

alter table commands drop constraint commands_kind_check, drop constraint commands_status_check;
update commands set status = 'rejected' where status = 'refused';
update commands set kind = 'delete' where kind = 'withdraw';
alter table commands
  add constraint commands_kind_check check (kind in ('transition', 'approve', 'delete', 'add_task')),
  add constraint commands_status_check check (status in ('received', 'applied', 'rejected', 'failed')),
  -- The acceptance number. A retried command takes a new one (`set number = default`).
  add column number bigint generated always as identity,
  -- How often a decision threw for a reason of the command's own, and why the last one did: for the operator alone.
  add column tries integer not null default 0,
  add column failure text,
  -- What a repeated request is answered where the first answer was lost: what became of the task, nothing else of it.
  add column result jsonb,
  add column reconcile_after timestamptz not null default clock_timestamp() + interval '4 seconds',
  add column reconcile_tries integer not null default 0,
  drop column relayed_at;
drop index commands_received;
drop index commands_by_shipment;
create index commands_undecided on commands (shipment_id, number) where status = 'received';
create index commands_to_reconcile on commands (organization_id, reconcile_after) where status = 'received';
create index commands_failed on commands (number) where status = 'failed';

alter table timeline_entries drop constraint timeline_entries_kind_check;
update timeline_entries set kind = 'deleted' where kind = 'withdrawn';
alter table timeline_entries
  add constraint timeline_entries_kind_check check (kind in ('created', 'approved', 'transition', 'task_added', 'deleted', 'deadline_missed'));

alter table external_intakes
  add column reconcile_after timestamptz not null default clock_timestamp() + interval '15 seconds',
  add column reconcile_tries integer not null default 0,
  drop column relayed_at;
drop index external_intakes_processing;
create index external_intakes_to_reconcile on external_intakes (organization_id, reconcile_after) where status = 'processing';

-- When a workflow first loaded the shipment; null is work for the reconciler.
alter table shipments rename column run_seen_at to workflow_started_at;
alter table shipments
  add column reconcile_after timestamptz not null default clock_timestamp() + interval '15 seconds',
  add column reconcile_tries integer not null default 0,
  drop column relayed_at;
drop index shipments_without_run;
drop index shipments_due;
create index shipments_without_workflow on shipments (organization_id, reconcile_after) where workflow_started_at is null;
create index shipments_with_open_deadline on shipments (delivery_deadline)
  where deadline_missed_at is null and status in ('pending', 'pickup_in_progress', 'picked_up', 'in_transit');
create index shipments_deadline_to_reconcile on shipments (organization_id, (greatest(reconcile_after, delivery_deadline)))
  where deadline_missed_at is null and status in ('pending', 'pickup_in_progress', 'picked_up', 'in_transit');

-- A live workflow settles an event within a minute; the reconciler looks after that.
alter table webhook_events rename column relayed_at to replayed_at;
alter table webhook_events
  add column reconcile_after timestamptz not null default clock_timestamp() + interval '60 seconds',
  add column reconcile_tries integer not null default 0;
drop index webhook_events_pending;
create index webhook_events_to_reconcile on webhook_events (organization_id, reconcile_after) where status = 'pending';
