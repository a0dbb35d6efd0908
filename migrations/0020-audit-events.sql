-- Who did what (decision 0040, domain/audit.ts). A row outlives what it tells of, so it refers to nothing, and it holds names of
-- fields, never their values.

create table audit_events (
  id uuid primary key,
  -- null where no organization is known: a sign-in with an unknown e-mail address, or an act of the operator for all.
  organization_id uuid,
  kind text not null check (kind ~ '^[a-z_]+\.[a-z_]+$'),
  actor text not null check (actor in ('user', 'operator', 'unknown')),
  -- The user who acted.
  user_id uuid,
  -- The operation of the API, or the command of the operator.
  operation text not null,
  -- From where, as limits count it: an IPv4 address or an IPv6 network. null for the operator.
  address text,
  -- The request's id in the log.
  request_id uuid,
  -- The record that it is about: its kind as domain/iri.ts has it.
  subject_kind text,
  subject_id uuid,
  fields text[] not null default '{}',
  -- How many records it was about, where that is not one.
  count integer,
  created_at timestamptz not null default clock_timestamp(),
  check ((actor = 'user') = (user_id is not null)),
  check ((subject_kind is null) = (subject_id is null))
);
create index audit_events_newest on audit_events (organization_id, created_at, id);
create index audit_events_by_user on audit_events (organization_id, user_id, created_at) where user_id is not null;
create index audit_events_by_time on audit_events (created_at, id);

-- Append-only: no row is changed, and none is removed in its first 90 days. Older rows may be removed; no command does it yet.
create function reject_audit_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and old.created_at < statement_timestamp() - interval '90 days' then
    return old;
  end if;
  raise exception 'audit_events is append-only' using errcode = 'insufficient_privilege';
end
$$;
create trigger audit_events_kept before update or delete on audit_events
  for each row execute function reject_audit_change();
create trigger audit_events_kept_whole before truncate on audit_events
  for each statement execute function reject_audit_change();
