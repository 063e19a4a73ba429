-- Calls are settled in sets now.
drop function if exists llm.settle_call(uuid, uuid, text, jsonb, timestamptz);
-- Left behind by an earlier release.
drop function if exists delivery.start_until(uuid, text, int, timestamptz, timestamptz);
