-- Records the cost of a provider call, once per id, whoever pays for the work. `p_type` is `api_` and the provider; `p_operation`
-- the work that the call was for. Returns whether it was new; another cost for the same id is refused.
create or replace function billing.note_cost(
  p_workspace_id uuid, p_user_id bigint, p_type text, p_call_id text, p_cost_usd numeric, p_operation text default null,
  p_run text default null, p_model text default null, p_input_tokens int default null, p_output_tokens int default null,
  p_description text default null, p_now timestamptz default now()
) returns boolean
language plpgsql as $$
begin
  insert into billing.token_expenses (workspace_id, user_id, amount, operation_type, description, ai_model, input_tokens,
    output_tokens, cost_usd, call_id, run, operation, created_at)
  values (p_workspace_id, p_user_id, 0, p_type, p_description, left(p_model, 100), p_input_tokens, p_output_tokens,
    coalesce(p_cost_usd, 0), p_call_id, p_run, p_operation, p_now)
  on conflict (workspace_id, call_id) where call_id is not null do nothing;
  if found then
    return true;
  end if;
  if not exists (
    select from billing.token_expenses e
    where e.workspace_id = p_workspace_id and e.call_id = p_call_id and e.cost_usd = round(coalesce(p_cost_usd, 0), 6)
  ) then
    raise exception 'key_reused' using detail = format('Call %s has another cost already.', p_call_id);
  end if;
  return false;
end
$$;
