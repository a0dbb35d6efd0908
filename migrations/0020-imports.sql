-- Rows of imports that were not imported, as the workbook that can be mended and sent again. Kept for a day.

create table failed_imports (
  id uuid primary key,
  organization_id uuid not null references organizations (id),
  user_id uuid not null references users (id),
  workbook bytea not null,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null default clock_timestamp() + interval '1 day'
);
create index failed_imports_by_expiry on failed_imports (expires_at);
