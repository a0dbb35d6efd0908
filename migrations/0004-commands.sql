-- What was asked: commands on shipments, and creations by the external API. PostgreSQL is the ordered queue of commands
-- (decision 0013). The reconciler finds what was left behind by `reconcile_after`, one index for each kind of work, led by
-- the organization so that it is fair between organizations.

create table commands (
  id uuid primary key,
  -- The order of acceptance, in which a shipment's commands are decided. A retried command takes a new number.
  number bigint generated always as identity,
  organization_id uuid not null,
  shipment_id uuid not null,
  -- No foreign key: the command that adds a task names the id that the task will have.
  task_id uuid,
  kind text not null check (kind in ('transition', 'approve', 'delete', 'add_task')),
  -- Who asked; the parsed request, which may hold personal data and therefore never enters a workflow.
  actor_id uuid,
  request jsonb not null,
  status text not null default 'received' check (status in ('received', 'applied', 'rejected', 'failed')),
  -- Why it was rejected, as a problem of the domain.
  problem jsonb,
  -- What a repeated request is answered where the first answer was lost: what became of the task, nothing else of it.
  result jsonb,
  -- How often a decision threw for a reason of the command's own, and why the last one did: for the operator alone.
  tries integer not null default 0,
  failure text,
  received_at timestamptz not null default clock_timestamp(),
  decided_at timestamptz,
  reconcile_after timestamptz not null default clock_timestamp() + interval '4 seconds',
  reconcile_tries integer not null default 0,
  foreign key (organization_id, shipment_id) references shipments (organization_id, id)
);
create index commands_undecided on commands (shipment_id, number) where status = 'received';
create index commands_to_reconcile on commands (organization_id, reconcile_after) where status = 'received';
create index commands_failed on commands (number) where status = 'failed';

create table external_intakes (
  -- The id of the shipment that it becomes.
  id uuid primary key,
  organization_id uuid not null references organizations (id),
  tracking_number text not null unique references tracking_numbers (tracking_number),
  request jsonb not null,
  status text not null default 'processing' check (status in ('processing', 'created')),
  received_at timestamptz not null default clock_timestamp(),
  reconcile_after timestamptz not null default clock_timestamp() + interval '15 seconds',
  reconcile_tries integer not null default 0
);
create index external_intakes_to_reconcile on external_intakes (organization_id, reconcile_after) where status = 'processing';
