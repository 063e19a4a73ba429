-- Ended calls that began between two moments, with their cost; called by billing's check, see molva.hooks. Uses calls_by_time.
create or replace function llm.provider_calls(p_workspace_id uuid, p_since timestamptz, p_until timestamptz)
returns table (call_id text, user_id text, cost_usd numeric)
language sql stable as $$
  select c.call_id::text, c.user_id, coalesce(c.cost_usd, 0)
  from llm.calls c
  where c.workspace_id = p_workspace_id and c.started_at >= p_since and c.started_at < p_until and c.status in ('ok', 'failed')
$$;
