-- Drivers, zones and pickup points. They are deleted softly, because shipments keep pointing at them.

create table drivers (
  id uuid primary key,
  organization_id uuid not null references organizations (id),
  first_name text not null,
  last_name text not null,
  phone_number text not null,
  vehicle_type text,
  is_available boolean not null default true,
  user_id uuid,
  -- The newest position by recorded_at; an older point never overwrites it.
  last_position jsonb,
  last_position_at timestamptz,
  version integer not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  deleted_at timestamptz,
  unique (organization_id, id),
  foreign key (organization_id, user_id) references users (organization_id, id)
);
create index drivers_by_organization on drivers (organization_id, created_at, id) where deleted_at is null;
create unique index drivers_by_user on drivers (user_id) where deleted_at is null;

create table driver_positions (
  driver_id uuid not null,
  organization_id uuid not null,
  recorded_at timestamptz not null,
  latitude double precision not null,
  longitude double precision not null,
  accuracy double precision,
  heading double precision,
  speed double precision,
  received_at timestamptz not null default clock_timestamp(),
  primary key (driver_id, recorded_at),
  foreign key (organization_id, driver_id) references drivers (organization_id, id)
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
  deleted_at timestamptz,
  unique (organization_id, id)
);
create index zones_by_organization on zones (organization_id, created_at, id) where deleted_at is null;

create table pickup_points (
  id uuid primary key,
  organization_id uuid not null references organizations (id),
  merchant_id uuid,
  name text not null,
  code text,
  address jsonb not null,
  contact jsonb,
  opening_hours text,
  version integer not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  deleted_at timestamptz,
  unique (organization_id, id),
  foreign key (organization_id, merchant_id) references merchants (organization_id, id)
);
create index pickup_points_by_organization on pickup_points (organization_id, created_at, id) where deleted_at is null;
create unique index pickup_points_code on pickup_points (organization_id, code) where deleted_at is null and code is not null;
