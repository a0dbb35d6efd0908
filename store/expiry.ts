import { forgetReplacedSecrets } from './accounts/webhook-secrets.ts';
import { deleteOldChanges } from './changes/delete-old-changes.ts';
import type { Database } from './connection.ts';
import { execute } from './connection.ts';

/** A day after its last refresh token has expired, no JWT of a session is valid either, so its row can go. */
const DELETE_TOKENS_SQL = `with gone as (
       delete from refresh_tokens where ctid in (
         select ctid from refresh_tokens where expires_at < statement_timestamp() - interval '1 day' limit 1000)
       returning session_id)
     delete from sessions s where s.id in (select session_id from gone) and s.cookie_hash is null
       and not exists (select from refresh_tokens t
         where t.session_id = s.id and t.expires_at >= statement_timestamp() - interval '1 day')`;

/**
 * Removes what has no more effect: keys, tokens with their sessions, replays, ended sessions, imports and remembered places past their
 * time, idle rate windows and budgets, old changes.
 */
export async function deleteExpired(database: Database): Promise<void> {
  await execute(
    database,
    `delete from idempotency_keys where ctid in (select ctid from idempotency_keys where expires_at < statement_timestamp() limit 1000);
     ${DELETE_TOKENS_SQL};
     delete from sessions where ctid in (select ctid from sessions
       where idle_expires_at < statement_timestamp() or expires_at < statement_timestamp() limit 1000);
     delete from failed_imports where ctid in (select ctid from failed_imports where expires_at < statement_timestamp() limit 1000);
     delete from imports where ctid in (select ctid from imports where expires_at < statement_timestamp() limit 1000);
     delete from remembered_places where ctid in (select ctid from remembered_places where expires_at < statement_timestamp() limit 1000);
     delete from webhook_replays where ctid in (select ctid from webhook_replays
       where created_at < statement_timestamp() - interval '30 days' limit 1000);
     delete from rate_windows where ctid in (select ctid from rate_windows
       where coalesce(hits[cardinality(hits)], '-infinity') < statement_timestamp()
         - case when subject like 'login-code-day:%' then interval '1 day' else interval '1 hour' end limit 1000);
     delete from request_budgets where ctid in (select ctid from request_budgets
       where moments[cardinality(moments)] < statement_timestamp() - interval '1 hour' limit 1000)`,
  );
  await forgetReplacedSecrets(database);
  await deleteOldChanges(database);
}
