-- What users and organizations took of their budgets (decision 0017): a sliding log that all API processes share. An entry
-- is a moment, by the database's clock, and the units that one statement brought. As for rate windows, a minute of counts
-- need not survive a crash of the database.
create unlogged table request_budgets (
  subject text primary key,
  -- Ascending but for units that were given back, which are dated two seconds before.
  moments timestamptz[] not null,
  units integer[] not null,
  -- What the newest statement was given of the units that it asked for: all or none.
  granted integer not null
) with (fillfactor = 50);
