-- What belongs to a shipment belongs to the shipment's organization. Two keys, of the shipment and of the organization,
-- let them differ; one key over both does not, and a creation looks up two rows less for each shipment.
alter table shipments add constraint shipments_of_organization unique (id, organization_id);

alter table tasks
  drop constraint tasks_shipment_id_fkey,
  drop constraint tasks_organization_id_fkey,
  add constraint tasks_of_shipment foreign key (shipment_id, organization_id) references shipments (id, organization_id);
alter table timeline_entries
  drop constraint timeline_entries_shipment_id_fkey,
  drop constraint timeline_entries_organization_id_fkey,
  add constraint timeline_entries_of_shipment foreign key (shipment_id, organization_id) references shipments (id, organization_id);
alter table commands
  drop constraint commands_shipment_id_fkey,
  drop constraint commands_organization_id_fkey,
  add constraint commands_of_shipment foreign key (shipment_id, organization_id) references shipments (id, organization_id);
-- The test event of a webhook has no shipment, so that the organization keeps a key of its own.
alter table webhook_events
  drop constraint webhook_events_shipment_id_fkey,
  add constraint webhook_events_of_shipment foreign key (shipment_id, organization_id) references shipments (id, organization_id);
