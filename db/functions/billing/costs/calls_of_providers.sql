-- Provider calls that began between two moments and have ended, collected from the modules that made them. Each module may have
-- `provider_calls(workspace_id, since, until) returns table (call_id text, user_id text, cost_usd numeric)`.
create or replace function billing.calls_of_providers(p_workspace_id uuid, p_since timestamptz, p_until timestamptz)
returns table (call_id text, user_id text, cost_usd numeric)
language plpgsql stable as $$
declare
  v_hook text;
begin
  for v_hook in select molva.hooks('provider_calls') loop
    return query execute format('select c.call_id, c.user_id, c.cost_usd from %s($1, $2, $3) c', v_hook)
      using p_workspace_id, p_since, p_until;
  end loop;
end
$$;
