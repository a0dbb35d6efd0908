-- Replays of many webhook events (decision 0031): what a request came to, under the id of its effect. A repeat of the request
-- whose answer was lost finds it, and replays nothing again. The newest are of interest: removed after 30 days.

create table webhook_replays (
  id uuid primary key,
  organization_id uuid not null references organizations (id),
  actor_id uuid not null,
  count integer not null,
  remaining integer not null,
  created_at timestamptz not null default clock_timestamp()
);
create index webhook_replays_by_age on webhook_replays (created_at);
