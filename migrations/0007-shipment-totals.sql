-- How many shipments each organization has in each status, without counting them: a list shows its exact total, and a
-- count of a million rows takes a hundred times as long as its page. Triggers append what changed, so that no two writes
-- wait for each other; the reconciler adds the changes to the totals; a reader adds both up in one statement.

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

-- How many shipments an organization has, in one status or (null) in all.
create function shipment_total(wanted_organization uuid, wanted_status text) returns bigint language plpgsql stable as $$
begin
  if wanted_status is null then
    return (select coalesce(sum(total), 0) from shipment_totals where organization_id = wanted_organization)::bigint
      + (select coalesce(sum(change), 0) from shipment_total_changes where organization_id = wanted_organization)::bigint;
  end if;
  return (select coalesce(sum(total), 0) from shipment_totals
      where organization_id = wanted_organization and status = wanted_status)::bigint
    + (select coalesce(sum(change), 0) from shipment_total_changes
      where organization_id = wanted_organization and status = wanted_status)::bigint;
end $$;
