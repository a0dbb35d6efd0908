-- Users are deleted softly like the rest: what they did keeps pointing at them, and their address is free again.

alter table users add column deleted_at timestamptz;
drop index users_email;
create unique index users_email on users (email) where deleted_at is null;
drop index users_by_organization;
create index users_by_organization on users (organization_id, created_at, id) where deleted_at is null;
create index users_by_merchant on users (merchant_id) where merchant_id is not null and deleted_at is null;
