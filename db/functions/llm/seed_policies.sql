-- Adds missing policies and prices of a release to a workspace; existing ones, which an operator may have changed, stay.
create or replace function llm.seed_policies(
  p_workspace_id uuid, p_policies jsonb, p_prices jsonb, p_now timestamptz default now()
) returns int
language plpgsql as $$
declare
  v_added int;
begin
  perform llm.lock_settings(p_workspace_id);
  insert into llm.model_prices (workspace_id, provider, model, prompt_usd, completion_usd, image_usd, updated_at)
  select p_workspace_id, r.provider, r.model, r.prompt_usd, r.completion_usd, r.image_usd, p_now
  from jsonb_to_recordset(p_prices) as r (provider text, model text, prompt_usd numeric, completion_usd numeric, image_usd numeric)
  on conflict do nothing;
  insert into llm.llm_policies (workspace_id, key, provider, model, fallbacks, temperature, max_tokens, timeout_ms, options, updated_at)
  select p_workspace_id, r.key, r.provider, r.model, r.fallbacks, r.temperature, r.max_tokens, r.timeout_ms, r.options, p_now
  from jsonb_to_recordset(p_policies) as r (key text, provider text, model text, fallbacks jsonb, temperature numeric,
    max_tokens int, timeout_ms int, options jsonb)
  on conflict do nothing;
  get diagnostics v_added = row_count;
  return v_added;
end
$$;
