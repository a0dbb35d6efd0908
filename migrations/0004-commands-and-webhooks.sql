-- What was asked (commands, intakes), and what receivers are told (events, attempts).

create table commands (
  id uuid primary key,
  organization_id uuid not null references organizations (id),
  shipment_id uuid not null references shipments (id),
  -- No foreign key: the command that adds a task names the id that the task will have.
  task_id uuid,
  kind text not null check (kind in ('transition', 'approve', 'withdraw', 'add_task')),
  -- Who asked; the parsed request, which may hold personal data and therefore never enters a workflow.
  actor_id uuid,
  request jsonb not null,
  status text not null default 'received' check (status in ('received', 'applied', 'refused')),
  -- The refusal, as a problem of the domain.
  problem jsonb,
  received_at timestamptz not null default clock_timestamp(),
  decided_at timestamptz,
  -- When the relay last signalled it, so that it does not do so at every pass.
  relayed_at timestamptz
);
create index commands_received on commands (received_at) where status = 'received';
create index commands_by_shipment on commands (shipment_id, received_at);

create table external_intakes (
  -- The id of the shipment that it becomes.
  id uuid primary key,
  organization_id uuid not null references organizations (id),
  tracking_number text not null unique references tracking_numbers (tracking_number),
  request jsonb not null,
  status text not null default 'processing' check (status in ('processing', 'created')),
  received_at timestamptz not null default clock_timestamp(),
  relayed_at timestamptz
);
create index external_intakes_processing on external_intakes (received_at) where status = 'processing';

create table webhook_events (
  id uuid primary key,
  organization_id uuid not null references organizations (id),
  -- Null for a test event, which belongs to no shipment.
  shipment_id uuid references shipments (id),
  sequence integer,
  -- The exact bytes that are signed and sent, at each attempt the same (gap 42).
  body bytea not null,
  task_status text,
  event_updated_at text not null,
  status text not null default 'pending' check (status in ('pending', 'delivered', 'rejected', 'dead', 'skipped')),
  -- 0 for the first sending, one more for each replay.
  round integer not null default 0,
  created_at timestamptz not null default clock_timestamp(),
  settled_at timestamptz,
  relayed_at timestamptz,
  unique (shipment_id, sequence)
);
create index webhook_events_pending on webhook_events (created_at) where status = 'pending';
create index webhook_events_by_organization on webhook_events (organization_id, created_at, id);
create index webhook_events_by_status on webhook_events (organization_id, status, created_at, id);

create table webhook_attempts (
  webhook_event_id uuid not null references webhook_events (id),
  round integer not null,
  attempt integer not null,
  url text not null,
  started_at timestamptz not null default clock_timestamp(),
  finished_at timestamptz,
  status_code integer,
  duration_ms integer,
  error text,
  primary key (webhook_event_id, round, attempt)
);
