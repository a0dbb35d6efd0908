-- An attempt counts from the moment when its request is about to be written to the socket, not from its beginning: a
-- worker that crashes before that costs the receiver none.
alter table webhook_attempts
  add column sent_at timestamptz,
  -- Which execution of the activity makes the attempt. Another one may take over an attempt that was not sent.
  add column execution_id uuid;
-- Attempts of the release before whose end a crash hid: they may have been sent, and go on counting.
update webhook_attempts set sent_at = started_at where finished_at is null;
-- Those that workers of the release before begin while this one is rolled out count from their beginning.
alter table webhook_attempts alter column sent_at set default clock_timestamp();
