-- A second factor for signing in, and the password again before what would give an account away (decision 0046).

-- One for each user: a secret of TOTP (RFC 6238), sealed where the deployment has a key (decision 0043).
create table second_factors (
  user_id uuid primary key,
  organization_id uuid not null,
  secret text not null,
  -- null: shown to the user, who has not proved yet that an app has it.
  confirmed_at timestamptz,
  -- The step of the last accepted code: neither it nor an earlier one is accepted again.
  last_step bigint not null default 0,
  created_at timestamptz not null default clock_timestamp(),
  foreign key (organization_id, user_id) references users (organization_id, id)
);

-- Codes for a lost phone, each for one use: 120 random bits, for which SHA-256 is enough.
create table recovery_codes (
  user_id uuid not null references second_factors (user_id) on delete cascade,
  code_hash bytea not null,
  primary key (user_id, code_hash)
);

alter table organizations add column requires_second_factor boolean not null default false;

-- When the user of a session of the console gave the password last. null: before this migration, or a session of tokens.
alter table sessions add column confirmed_at timestamptz;
