-- Sessions of tokens are deleted a day after their last refresh token (store/expiry.ts). Those whose tokens are gone already go here.
delete from sessions s
where s.cookie_hash is null and s.created_at < statement_timestamp() - interval '2 days'
  and not exists (select from refresh_tokens t where t.session_id = s.id);
