-- What changed of the rows that a board shows, so that its readers get the change and not the board again (decision 0030).
-- Triggers write it, so that no statement can forget to. A change is lost in two ways alone, and both give the database another
-- epoch, by which a reader sees it: the tables are unlogged, and PostgreSQL empties them after a crash and on a copy.

-- Which stretch of transaction numbers the cursors of readers belong to. A reader that finds none begins one.
create unlogged table change_epoch (
  is_only boolean primary key default true check (is_only),
  id uuid not null default gen_random_uuid()
);
create unlogged table changes (
  organization_id uuid not null,
  -- domain/change-kinds.ts; `driver_position` is a driver of which nothing but the position changed.
  kind text not null,
  id uuid not null,
  -- Whether a reader has seen a change is asked of its snapshot: numbers are given before transactions commit.
  xid xid8 not null default pg_current_xact_id(),
  -- Whose a row was before: it leaves that reader's scope. Whose it is now, the row itself says.
  previous_driver_id uuid,
  previous_merchant_id uuid
);
create index changes_by_transaction on changes (organization_id, xid);

-- Points up to which changes may have been deleted: of all organizations the oldest mark, of one that had too many its own.
create unlogged table change_marks (
  id bigint generated always as identity primary key,
  snapshot pg_snapshot not null default pg_current_snapshot(),
  taken_at timestamptz not null default clock_timestamp()
);
create unlogged table change_caps (
  organization_id uuid primary key,
  snapshot pg_snapshot not null
);
-- As beginEpoch does (store/changes/read-changes.ts).
insert into change_epoch default values;
insert into change_marks default values;

-- Inserts come by the thousand, so they are noted by the statement. Updates of what a row shows come one or two at a time and
-- those of what it does not show more often: a condition on the row is cheaper there than a function for the statement.

-- For any record: `execute function note_changed_record('<kind>')`, as a trigger for each row.
create function note_changed_record() returns trigger language plpgsql as $$
begin
  insert into changes (organization_id, kind, id) values (new.organization_id, tg_argv[0], new.id);
  return null;
end $$;

create function note_created_records() returns trigger language plpgsql as $$
begin
  insert into changes (organization_id, kind, id) select organization_id, tg_argv[0], id from created;
  return null;
end $$;

create function note_changed_shipment() returns trigger language plpgsql as $$
begin
  insert into changes (organization_id, kind, id, previous_merchant_id)
  values (new.organization_id, 'shipment', new.id, old.merchant_id);
  -- The status of a run counts tasks of shipments that are there.
  if (old.deleted_at is null) <> (new.deleted_at is null) then
    insert into changes (organization_id, kind, id)
    select distinct organization_id, 'delivery_run', delivery_run_id from tasks
    where shipment_id = new.id and delivery_run_id is not null;
  end if;
  return null;
end $$;

create function note_created_tasks() returns trigger language plpgsql as $$
begin
  insert into changes (organization_id, kind, id) select distinct organization_id, 'shipment', shipment_id from created;
  return null;
end $$;

create function note_changed_task() returns trigger language plpgsql as $$
begin
  insert into changes (organization_id, kind, id, previous_driver_id)
  values (new.organization_id, 'task', new.id, old.driver_id);
  -- The run that a task is in is sent with the task.
  if old.delivery_run_id is not null and old.delivery_run_id is distinct from new.delivery_run_id then
    insert into changes (organization_id, kind, id) values (old.organization_id, 'delivery_run', old.delivery_run_id);
  end if;
  return null;
end $$;

create function note_changed_run() returns trigger language plpgsql as $$
begin
  insert into changes (organization_id, kind, id, previous_driver_id)
  values (new.organization_id, 'delivery_run', new.id, old.driver_id);
  return null;
end $$;

create trigger shipments_added after insert on shipments
  referencing new table as created for each statement execute function note_created_records('shipment');
create trigger shipments_changed after update on shipments for each row
  when (old.version <> new.version or (old.deleted_at is null) <> (new.deleted_at is null)
    or old.merchant_id is distinct from new.merchant_id)
  execute function note_changed_shipment();

create trigger tasks_added after insert on tasks
  referencing new table as created for each statement execute function note_created_tasks();
create trigger tasks_changed after update on tasks for each row
  when (old.version <> new.version or old.driver_id is distinct from new.driver_id
    or old.delivery_run_id is distinct from new.delivery_run_id)
  execute function note_changed_task();

create trigger delivery_runs_added after insert on delivery_runs
  for each row execute function note_changed_record('delivery_run');
create trigger delivery_runs_changed after update on delivery_runs for each row
  when (old.version <> new.version or (old.deleted_at is null) <> (new.deleted_at is null)
    or old.driver_id is distinct from new.driver_id)
  execute function note_changed_run();

create trigger drivers_added after insert on drivers
  for each row execute function note_changed_record('driver');
create trigger drivers_changed after update on drivers for each row
  when (old.version <> new.version or (old.deleted_at is null) <> (new.deleted_at is null))
  execute function note_changed_record('driver');
create trigger drivers_moved after update on drivers for each row
  when (old.version = new.version and old.last_position_at is distinct from new.last_position_at)
  execute function note_changed_record('driver_position');

create trigger webhook_events_added after insert on webhook_events
  referencing new table as created for each statement execute function note_created_records('webhook_event');
create trigger webhook_events_changed after update on webhook_events for each row
  when (old.status <> new.status or old.round <> new.round)
  execute function note_changed_record('webhook_event');

-- What a board reads: tasks that have not ended, and those that ended on a day.
create index tasks_open on tasks (organization_id, after) where status not in ('delivered', 'cancelled', 'picked_up');
create index tasks_by_completion on tasks (organization_id, completed_at) where completed_at is not null;
