-- The console signs in with a cookie (decision 0029). Its session is a row of `sessions` as any other, so that whatever ends a
-- session ends it too. It has the cookie's hash and two ends; a session of tokens has none of the three.

alter table sessions
  -- SHA-256 is enough for 256 random bits.
  add column cookie_hash bytea,
  -- When it ends unless it is used before; its use moves it, up to `expires_at`.
  add column idle_expires_at timestamptz,
  add column expires_at timestamptz,
  add check (num_nonnulls(cookie_hash, idle_expires_at, expires_at) in (0, 3)),
  add check (idle_expires_at <= expires_at);
create unique index sessions_by_cookie on sessions (cookie_hash) where cookie_hash is not null;
create index sessions_by_expiry on sessions (idle_expires_at) where idle_expires_at is not null;

-- The language that the user chose; null: the browser's.
alter table users add column language text check (language in ('fr', 'ar', 'en'));
