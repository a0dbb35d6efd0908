-- The operator can suspend an organization (decision 0042): nobody signs in, no session and no key is accepted, nothing is sent to
-- its receiver. What was accepted is decided. Null: it is not suspended.

alter table organizations
  add column suspended_at timestamptz,
  add column suspended_because text,
  add check ((suspended_at is null) = (suspended_because is null));
