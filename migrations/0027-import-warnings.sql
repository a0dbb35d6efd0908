-- The warnings of an import with their keys, next to their texts (decision 0038). null: an import that has not ended, or of an earlier release.
alter table imports add column warning_messages jsonb;
