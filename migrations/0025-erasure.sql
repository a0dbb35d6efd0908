-- A person, or an organization, is erased by the operator (decision 0045).

-- When what names a person was removed from the body. It is no longer what was signed and sent, so it is not sent again.
alter table webhook_events add column erased_at timestamptz;

-- When the erasure of the organization began; it is not resumed after that.
alter table organizations add column erasure_started_at timestamptz;

-- Of which organizations nothing but their audit log is left: it is removed when it may be.
create index audit_events_of_erased on audit_events (organization_id) where kind = 'organization.erased';
