-- Imports as records, so that one whose caller has gone is found again (decision 0032), and places that dispatchers pinned
-- (decision 0033).

-- One for each workbook that was received; kept for a day, as its failed rows are.
create table imports (
  -- The id that the request gave to what it makes: a repeat with the same Idempotency-Key goes on with the same record.
  id uuid primary key,
  organization_id uuid not null references organizations (id),
  user_id uuid not null,
  -- The merchant whose user sent it; null for staff.
  merchant_id uuid,
  file_name text,
  status text not null default 'reading' check (status in ('reading', 'creating', 'done', 'failed')),
  total_rows integer not null default 0,
  processed_rows integer not null default 0,
  created_rows integer not null default 0,
  failed_rows integer not null default 0,
  -- The messages of the first failed rows, and what is said of the file: personal data may stand in both.
  errors jsonb not null default '[]',
  warnings jsonb not null default '[]',
  -- Why it failed, as a problem of the domain.
  problem jsonb,
  -- Until when its process is taken to be at work on it.
  alive_until timestamptz not null default clock_timestamp() + interval '30 seconds',
  version integer not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  finished_at timestamptz,
  expires_at timestamptz not null default clock_timestamp() + interval '1 day',
  unique (organization_id, id),
  foreign key (organization_id, user_id) references users (organization_id, id),
  foreign key (organization_id, merchant_id) references merchants (organization_id, id)
);
create index imports_newest on imports (organization_id, created_at, id);
create index imports_under_way on imports (alive_until) where status in ('reading', 'creating');
create index imports_by_expiry on imports (expires_at);

-- Where a recipient's address is, as somebody set it by hand. The key is a digest of phone number, street and city: the row
-- alone names nobody.
create table remembered_places (
  organization_id uuid not null references organizations (id),
  place_key bytea not null,
  latitude double precision not null,
  longitude double precision not null,
  updated_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  primary key (organization_id, place_key)
);
create index remembered_places_newest on remembered_places (organization_id, updated_at);
create index remembered_places_by_expiry on remembered_places (expires_at);
