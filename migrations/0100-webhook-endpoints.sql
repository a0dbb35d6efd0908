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
