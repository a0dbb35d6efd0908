-- Where the request that caused a row stands in its trace (decision 0044): a W3C `traceparent`, and after a blank its `tracestate`.
-- Null where the request had none. A reader takes anything else for null, so no constraint has to look at rows that are there.

alter table commands add column trace_context text;
alter table external_intakes add column trace_context text;
-- The first round's is that of the command's decision, a replay's that of the request for it.
alter table webhook_events add column trace_context text;
