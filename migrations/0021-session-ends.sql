-- Every session has a last end, and says where it was opened (decision 0041).

-- A session of tokens had no end of its own. The default serves a release that knows none.
alter table sessions drop constraint sessions_check;
update sessions set expires_at = clock_timestamp() + interval '90 days' where expires_at is null;
alter table sessions
  alter column expires_at set default clock_timestamp() + interval '90 days',
  alter column expires_at set not null,
  add constraint sessions_cookie_check check ((cookie_hash is null) = (idle_expires_at is null)),
  -- From where it was opened, as limits count it, and by which program, as that says itself.
  add column address text,
  add column user_agent text,
  -- Written with the use of the console, and with each refresh of tokens.
  add column last_used_at timestamptz not null default clock_timestamp();
create index sessions_by_end on sessions (expires_at);
