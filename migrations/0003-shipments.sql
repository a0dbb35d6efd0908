-- Shipments, their tasks and their timeline. After creation the status columns are written by
-- store/commands/apply-command.ts alone; descriptive columns by the API under the row lock.

-- Every tracking number ever given, by an external request or a shipment: one place decides that it is unique.
create table tracking_numbers (
  tracking_number text primary key
);

create table shipments (
  id uuid primary key,
  organization_id uuid not null references organizations (id),
  merchant_id uuid,
  pickup_point_id uuid,
  tracking_number text not null unique references tracking_numbers (tracking_number),
  source text not null check (source in ('dashboard', 'import', 'external')),
  status text not null check (status in ('pending_approval', 'pending', 'pickup_in_progress', 'picked_up', 'in_transit', 'delivered', 'returned', 'cancelled')),
  priority text not null,
  package_size text not null,
  weight_grams integer,
  currency text not null,
  cod_amount_cents bigint not null,
  delivery_fee_cents bigint not null,
  total_cod_to_collect_cents bigint not null,
  fee_breakdown jsonb not null,
  fee_payer text not null,
  recipient jsonb not null,
  -- The sender's address where the pickup is a manual one.
  pickup_address jsonb,
  items jsonb not null default '[]',
  handling_options text[] not null default '{}',
  notes text,
  external_reference text,
  scheduled_after timestamptz,
  scheduled_before timestamptz,
  delivery_deadline timestamptz,
  deadline_missed_at timestamptz,
  -- What a dispatcher searches in: numbers, names and references, in lower case.
  search_text text generated always as (lower(tracking_number || ' ' || coalesce(recipient->>'firstName', '') || ' '
    || coalesce(recipient->>'lastName', '') || ' ' || coalesce(recipient->>'phoneNumber', '') || ' '
    || coalesce(external_reference, ''))) stored,
  -- Timeline entries so far, and the moment of the newest one: updatedAt grows strictly from it.
  event_sequence integer not null default 0,
  last_event_at timestamptz,
  -- When a workflow first loaded the shipment; null is work for the reconciler.
  workflow_started_at timestamptz,
  reconcile_after timestamptz not null default clock_timestamp() + interval '15 seconds',
  reconcile_tries integer not null default 0,
  version integer not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  deleted_at timestamptz,
  unique (organization_id, id),
  foreign key (organization_id, merchant_id) references merchants (organization_id, id),
  foreign key (organization_id, pickup_point_id) references pickup_points (organization_id, id)
);
create index shipments_newest on shipments (organization_id, created_at, id) where deleted_at is null;
create index shipments_by_status on shipments (organization_id, status, created_at, id) where deleted_at is null;
create index shipments_by_merchant on shipments (organization_id, merchant_id, created_at, id) where deleted_at is null;
create index shipments_by_pickup_point on shipments (organization_id, pickup_point_id, created_at, id) where deleted_at is null and pickup_point_id is not null;
create index shipments_by_external_reference on shipments (organization_id, external_reference) where external_reference is not null;
create index shipments_without_workflow on shipments (organization_id, reconcile_after) where workflow_started_at is null;
create index shipments_with_open_deadline on shipments (delivery_deadline)
  where deadline_missed_at is null and status in ('pending', 'pickup_in_progress', 'picked_up', 'in_transit');
create index shipments_deadline_to_reconcile on shipments (organization_id, (greatest(reconcile_after, delivery_deadline)))
  where deadline_missed_at is null and status in ('pending', 'pickup_in_progress', 'picked_up', 'in_transit');

create table delivery_runs (
  id uuid primary key,
  organization_id uuid not null references organizations (id),
  reference text not null,
  name text,
  run_date date not null,
  driver_id uuid,
  -- What a dispatcher decided; in_progress and completed are derived from the tasks when read.
  planning_status text not null check (planning_status in ('draft', 'planned', 'cancelled')),
  version integer not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  deleted_at timestamptz,
  unique (organization_id, reference),
  unique (organization_id, id),
  foreign key (organization_id, driver_id) references drivers (organization_id, id)
);
create index delivery_runs_by_organization on delivery_runs (organization_id, created_at, id) where deleted_at is null;
create index delivery_runs_by_date on delivery_runs (organization_id, run_date) where deleted_at is null;

create table tasks (
  id uuid primary key,
  organization_id uuid not null,
  shipment_id uuid not null,
  -- The task's place in its shipment, from 0.
  ordinal integer not null,
  type text not null check (type in ('pickup', 'delivery', 'transfer', 'return')),
  status text not null check (status in ('waiting_for_pickup', 'assigned_waiting', 'pending', 'assigned', 'pickup_in_progress', 'picked_up', 'delivery_in_progress', 'in_transit', 'delivered', 'failed', 'cancelled')),
  driver_id uuid,
  previous_id uuid,
  delivery_run_id uuid,
  position integer,
  address jsonb not null,
  contact jsonb,
  after timestamptz,
  before timestamptz,
  -- Tries that have begun: 1 at creation, one more at each reactivation.
  attempts integer not null default 1,
  failure_reason text,
  failure_comment text,
  notes text,
  proof jsonb,
  assigned_at timestamptz,
  started_at timestamptz,
  completed_at timestamptz,
  version integer not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  unique (shipment_id, ordinal),
  unique (organization_id, id),
  foreign key (organization_id, shipment_id) references shipments (organization_id, id),
  foreign key (organization_id, driver_id) references drivers (organization_id, id),
  foreign key (organization_id, previous_id) references tasks (organization_id, id),
  foreign key (organization_id, delivery_run_id) references delivery_runs (organization_id, id)
);
create index tasks_by_organization on tasks (organization_id, created_at, id);
create index tasks_by_status on tasks (organization_id, status, created_at, id);
create index tasks_by_driver on tasks (driver_id, created_at, id) where driver_id is not null;
create index tasks_by_run on tasks (delivery_run_id, position) where delivery_run_id is not null;

-- What happened, in order. domain/webhook-events.ts says which entries cause webhook events.
create table timeline_entries (
  shipment_id uuid not null,
  sequence integer not null,
  organization_id uuid not null,
  kind text not null check (kind in ('created', 'approved', 'transition', 'task_added', 'deleted', 'deadline_missed')),
  shipment_status text not null,
  task_id uuid,
  task_type text,
  task_status text,
  transition text,
  reason text,
  comment text,
  driver_id uuid,
  actor_id uuid,
  command_id uuid,
  -- When it happened, as the caller or the clock says; recorded_at orders and never repeats.
  occurred_at timestamptz not null,
  recorded_at timestamptz not null,
  primary key (shipment_id, sequence),
  foreign key (organization_id, shipment_id) references shipments (organization_id, id),
  foreign key (organization_id, task_id) references tasks (organization_id, id),
  foreign key (organization_id, driver_id) references drivers (organization_id, id)
);

-- Rows of imports that were not imported, as the workbook that can be corrected and sent again. Kept for a day.
create table failed_imports (
  id uuid primary key,
  organization_id uuid not null,
  user_id uuid not null,
  workbook bytea not null,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null default clock_timestamp() + interval '1 day',
  foreign key (organization_id, user_id) references users (organization_id, id)
);
create index failed_imports_by_expiry on failed_imports (expires_at);
