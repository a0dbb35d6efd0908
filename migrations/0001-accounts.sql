-- Tenants, the people who sign in, and their sessions. Every tenant table carries organization_id, and every reference
-- between tenant tables is over (organization_id, id): a row cannot refer to another organization's. The store reaches
-- tenant tables through store/tenant.ts alone.

create table organizations (
  id uuid primary key,
  name text not null,
  plan text not null check (plan in ('decouverte', 'pro', 'business', 'entreprise')),
  tracking_prefix text not null check (tracking_prefix ~ '^[A-Z0-9]{2,10}$'),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  timezone text not null default 'UTC',
  -- null: the service's defaults (domain/pricing.ts, domain/deadline.ts) apply.
  tariff jsonb,
  deadline_hours jsonb,
  webhook_url text,
  webhook_secret text not null check (webhook_secret ~ '^whsec_[0-9a-f]{40}$'),
  is_webhook_enabled boolean not null default false,
  -- The key itself is shown once and never stored: SHA-256 is enough for 256 random bits.
  api_key_hash bytea not null unique,
  api_key_prefix text not null,
  previous_api_key_hash bytea unique,
  previous_api_key_expires_at timestamptz,
  version integer not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
);

create table merchants (
  id uuid primary key,
  organization_id uuid not null references organizations (id),
  name text not null,
  contact jsonb,
  address jsonb,
  fee_payer text not null default 'recipient' check (fee_payer in ('recipient', 'merchant')),
  version integer not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  deleted_at timestamptz,
  unique (organization_id, id)
);
create index merchants_by_organization on merchants (organization_id, created_at, id) where deleted_at is null;

-- Deleted softly: what they did keeps pointing at them, and their address is free again.
create table users (
  id uuid primary key,
  organization_id uuid not null references organizations (id),
  email text not null check (email = lower(email)),
  password_hash text not null,
  role text not null check (role in ('ROLE_ORG_ADMIN', 'ROLE_DISPATCHER', 'ROLE_MERCHANT', 'ROLE_DRIVER')),
  first_name text not null,
  last_name text not null,
  merchant_id uuid,
  is_active boolean not null default true,
  version integer not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  deleted_at timestamptz,
  -- A merchant's user without a merchant would own nothing and see nothing.
  check (role <> 'ROLE_MERCHANT' or merchant_id is not null),
  unique (organization_id, id),
  foreign key (organization_id, merchant_id) references merchants (organization_id, id)
);
create unique index users_email on users (email) where deleted_at is null;
create index users_by_organization on users (organization_id, created_at, id) where deleted_at is null;
create index users_by_merchant on users (merchant_id) where merchant_id is not null and deleted_at is null;

-- One row per sign-in: the family of refresh tokens that a logout or a reuse ends.
create table sessions (
  id uuid primary key,
  user_id uuid not null references users (id),
  created_at timestamptz not null default clock_timestamp(),
  revoked_at timestamptz,
  revoked_because text
);
create index sessions_by_user on sessions (user_id) where revoked_at is null;

create table refresh_tokens (
  token_hash bytea primary key,
  session_id uuid not null references sessions (id) on delete cascade,
  issued_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  used_at timestamptz
);
create index refresh_tokens_by_session on refresh_tokens (session_id);
create index refresh_tokens_by_expiry on refresh_tokens (expires_at);
