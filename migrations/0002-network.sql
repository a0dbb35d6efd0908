-- Drivers, zones and pickup points: soft-deleted, because shipments keep pointing at them (design gap 6).

create table drivers (
  id uuid primary key,
  organization_id uuid not null references organizations (id),
  first_name text not null,
  last_name text not null,
  phone_number text not null,
  vehicle_type text,
  is_available boolean not null default true,
  user_id uuid references users (id),
  -- The newest position by recorded_at; an older point never overwrites it (design gap 30).
  last_position jsonb,
  last_position_at timestamptz,
  version integer not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  deleted_at timestamptz
);
create index drivers_by_organization on drivers (organization_id, created_at, id) where deleted_at is null;
create unique index drivers_by_user on drivers (user_id) where deleted_at is null;

create table driver_positions (
  driver_id uuid not null references drivers (id),
  organization_id uuid not null references organizations (id),
  recorded_at timestamptz not null,
  latitude double precision not null,
  longitude double precision not null,
  accuracy double precision,
  heading double precision,
  speed double precision,
  received_at timestamptz not null default clock_timestamp(),
  primary key (driver_id, recorded_at)
);

create table zones (
  id uuid primary key,
  organization_id uuid not null references organizations (id),
  name text not null,
  polygon jsonb not null,
  base_fee_cents bigint not null check (base_fee_cents >= 0),
  is_active boolean not null default true,
  version integer not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  deleted_at timestamptz
);
create index zones_by_organization on zones (organization_id, created_at, id) where deleted_at is null;

create table pickup_points (
  id uuid primary key,
  organization_id uuid not null references organizations (id),
  merchant_id uuid references merchants (id),
  name text not null,
  code text,
  address jsonb not null,
  contact jsonb,
  opening_hours text,
  version integer not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  deleted_at timestamptz
);
create index pickup_points_by_organization on pickup_points (organization_id, created_at, id) where deleted_at is null;
create unique index pickup_points_code on pickup_points (organization_id, code) where deleted_at is null and code is not null;
