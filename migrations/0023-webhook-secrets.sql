-- Webhook secrets may be sealed with a key that is not in the database, and an operator replaces one with an overlap (decision 0043).
-- Until `webhook_secret_changes_at`, `X-Service-Signature` is made with `webhook_secret`; from then on with `next_webhook_secret`.

alter table organizations
  drop constraint organizations_webhook_secret_check,
  add column next_webhook_secret text,
  add column webhook_secret_changes_at timestamptz,
  add constraint organizations_webhook_secret_form check (webhook_secret ~ '^(whsec_[0-9a-f]{40}$|sealed:)'),
  add constraint organizations_next_webhook_secret_form check (next_webhook_secret ~ '^(whsec_[0-9a-f]{40}$|sealed:)'),
  add check ((next_webhook_secret is null) = (webhook_secret_changes_at is null));
