-- Limits that all API processes share, and answers that are given again to a repeated request.

-- A sliding log: the moments of the accepted hits within the window, by the database's clock (gap 40).
create table rate_windows (
  subject text primary key,
  hits timestamptz[] not null,
  -- What the newest hit came to.
  was_accepted boolean not null
);

create table idempotency_keys (
  organization_id uuid not null,
  actor text not null,
  method text not null,
  path text not null,
  key text not null,
  fingerprint bytea not null,
  -- The id that the request's effect is given, so that a repetition after a crash finds the same effect.
  effect_id uuid not null,
  response_status integer,
  response_headers jsonb,
  response_body text,
  created_at timestamptz not null default clock_timestamp(),
  -- Until when the first caller is taken to be at work on it.
  claimed_until timestamptz not null,
  expires_at timestamptz not null,
  primary key (organization_id, actor, method, path, key)
);
create index idempotency_keys_by_expiry on idempotency_keys (expires_at);
