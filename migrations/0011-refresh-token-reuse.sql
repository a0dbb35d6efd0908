-- Two tabs of a browser send the same refresh token: shortly after its first use it gets one further pair (interpretation
-- 37). A token knows which one it was given for, so that only the direct predecessor of tokens that are still unused counts.

alter table refresh_tokens
  -- The hash of the token that this one was given for; null for the first of a session.
  add column given_for bytea,
  -- When it got its further pair.
  add column reused_at timestamptz;
