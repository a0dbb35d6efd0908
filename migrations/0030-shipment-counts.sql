-- How many shipments each organization has in each status, without counting them: a list tells its exact total, and a
-- count of a million rows takes a hundred times as long as its page. Triggers append what changed, so that no two writes
-- wait for each other; the relay folds the changes into the totals; a reader adds both up in one statement.

create table shipment_totals (
  organization_id uuid not null references organizations (id),
  status text not null,
  total bigint not null,
  primary key (organization_id, status)
);

create table shipment_total_changes (
  id bigint generated always as identity primary key,
  organization_id uuid not null,
  status text not null,
  change bigint not null
);
create index shipment_total_changes_by_organization on shipment_total_changes (organization_id, status, change);

create function note_created_shipments() returns trigger language plpgsql as $$
begin
  insert into shipment_total_changes (organization_id, status, change)
  select organization_id, status, count(*) from created where deleted_at is null group by organization_id, status;
  return null;
end $$;

create function note_removed_shipments() returns trigger language plpgsql as $$
begin
  insert into shipment_total_changes (organization_id, status, change)
  select organization_id, status, -count(*) from removed where deleted_at is null group by organization_id, status;
  return null;
end $$;

create function note_moved_shipment() returns trigger language plpgsql as $$
begin
  insert into shipment_total_changes (organization_id, status, change)
  select organization_id, status, change
  from (values (old.organization_id, old.status, -1, old.deleted_at), (new.organization_id, new.status, 1, new.deleted_at))
    as side (organization_id, status, change, deleted_at)
  where deleted_at is null;
  return null;
end $$;

create trigger shipments_created after insert on shipments
  referencing new table as created for each statement execute function note_created_shipments();
create trigger shipments_removed after delete on shipments
  referencing old table as removed for each statement execute function note_removed_shipments();
create trigger shipments_moved after update on shipments for each row
  when (old.status is distinct from new.status or (old.deleted_at is null) <> (new.deleted_at is null)
    or old.organization_id <> new.organization_id)
  execute function note_moved_shipment();

insert into shipment_totals (organization_id, status, total)
select organization_id, status, count(*) from shipments where deleted_at is null group by organization_id, status;
