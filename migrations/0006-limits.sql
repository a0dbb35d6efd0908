-- Limits that all API processes share, and answers that are given again to a repeated request. A minute of hits need not
-- survive a crash of the database: an unlogged table lets a counted request not wait for the disk, and after a crash the
-- windows begin empty.

-- A sliding log: the moments of the accepted hits within the window, by the database's clock.
create unlogged table rate_windows (
  subject text primary key,
  hits timestamptz[] not null,
  -- What the newest hit came to.
  was_accepted boolean not null
);

-- What users and organizations took of their budgets (decision 0017). An entry is a moment, by the database's clock, and
-- the units that one statement brought.
create unlogged table request_budgets (
  subject text primary key,
  -- Ascending but for units that were given back, which are dated two seconds before.
  moments timestamptz[] not null,
  units integer[] not null,
  -- What the newest statement was given of the units that it asked for: all or none.
  granted integer not null
) with (fillfactor = 50);

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
