-- The list of webhook deliveries in the order of their last change: settled, else sent on, else made.
create index webhook_events_by_change on webhook_events
  (organization_id, (coalesce(settled_at, relayed_at, created_at)), id);
