-- What receivers are sent (events), each request that was made (attempts), and what is known of the receivers (endpoints).

create table webhook_events (
  id uuid primary key,
  organization_id uuid not null references organizations (id),
  -- `shipment.status_changed` or another of domain/webhook-events.ts.
  kind text not null,
  -- Null for a test event, which belongs to no shipment.
  shipment_id uuid,
  -- The timeline entry that caused it.
  sequence integer,
  -- The exact bytes that are signed and sent, at each attempt the same.
  body bytea not null,
  task_status text,
  event_updated_at text not null,
  status text not null default 'pending' check (status in ('pending', 'delivered', 'rejected', 'dead', 'skipped')),
  -- 0 for the first delivery, one more for each replay.
  round integer not null default 0,
  created_at timestamptz not null default clock_timestamp(),
  replayed_at timestamptz,
  settled_at timestamptz,
  -- A live workflow settles an event within a minute; the reconciler looks after that.
  reconcile_after timestamptz not null default clock_timestamp() + interval '60 seconds',
  reconcile_tries integer not null default 0,
  unique (shipment_id, sequence, kind),
  foreign key (organization_id, shipment_id) references shipments (organization_id, id)
);
create index webhook_events_by_organization on webhook_events (organization_id, created_at, id);
create index webhook_events_by_status on webhook_events (organization_id, status, created_at, id);
-- The list in the order of the last change: settled, else replayed, else made.
create index webhook_events_by_change on webhook_events
  (organization_id, (coalesce(settled_at, replayed_at, created_at)), id);
create index webhook_events_to_reconcile on webhook_events (organization_id, reconcile_after) where status = 'pending';

create table webhook_attempts (
  webhook_event_id uuid not null references webhook_events (id),
  round integer not null,
  attempt integer not null,
  url text not null,
  -- Which execution of the activity makes the attempt. Another one may take over an attempt that was not sent.
  execution_id uuid,
  started_at timestamptz not null default clock_timestamp(),
  -- From here on the attempt counts: its request is about to be written to the socket. A worker that crashes before costs
  -- the receiver none.
  sent_at timestamptz,
  finished_at timestamptz,
  status_code integer,
  duration_ms integer,
  error text,
  primary key (webhook_event_id, round, attempt)
);

-- What is known of each organization's receiver (decision 0016). `leases` are the events that hold one of its slots on
-- the live lane: the key is the event, the value when the lease ends by itself (seconds since 1970).
create table webhook_endpoints (
  organization_id uuid primary key references organizations (id),
  -- What is known holds for this URL; another one begins without a past.
  url text not null,
  leases jsonb not null default '{}',
  -- Since when its attempts take long; null while they do not.
  slow_since timestamptz,
  -- Since when no attempt was delivered; null after a delivery.
  failing_since timestamptz
) with (fillfactor = 70);
