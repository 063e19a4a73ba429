-- Brings the policies and prices of a release to a workspace: what it lacks is added, what an operator may have changed stays.
create or replace function llm.seed_policies(
  p_workspace_id uuid, p_policies jsonb, p_prices jsonb, p_now timestamptz default now()
) returns int
language plpgsql as $$
declare
  v_added int;
begin
  perform llm.lock_settings(p_workspace_id);
  insert into llm.model_prices (workspace_id, provider, model, prompt_usd, completion_usd, updated_at)
  select p_workspace_id, r.provider, r.model, r.prompt_usd, r.completion_usd, p_now
  from jsonb_to_recordset(p_prices) as r (provider text, model text, prompt_usd numeric, completion_usd numeric)
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

-- Changes with every row that a briefing is made of, so that whoever remembers one can tell whether it is still true.
create or replace function llm.briefing_stamp(p_workspace_id uuid, p_policy text, p_prompt text) returns text
language sql stable as $$
  select concat_ws('-',
    (select p.xmin from llm.llm_policies p where p.workspace_id = p_workspace_id and p.key = p_policy),
    (select t.xmin from llm.prompts t where t.workspace_id = p_workspace_id and t.name = p_prompt and t.active),
    (select sum(m.xmin::text::bigint) from llm.model_prices m where m.workspace_id = p_workspace_id))
$$;

-- What one call needs to know: the policy, the prices of its models and the active version of its prompt.
create or replace function llm.briefing(p_workspace_id uuid, p_policy text, p_prompt text) returns jsonb
language sql stable as $$
  select jsonb_build_object(
    'stamp', llm.briefing_stamp(p_workspace_id, p_policy, p_prompt),
    'policy', (
      select to_jsonb(p) - 'workspace_id' - 'updated_at'
      from llm.llm_policies p where p.workspace_id = p_workspace_id and p.key = p_policy),
    'prompt', (
      select jsonb_build_object('version', t.version, 'body', t.body)
      from llm.prompts t where t.workspace_id = p_workspace_id and t.name = p_prompt and t.active),
    'prices', coalesce((
      select jsonb_agg(jsonb_build_object('provider', m.provider, 'model', m.model, 'prompt_usd', m.prompt_usd,
                                          'completion_usd', m.completion_usd))
      from llm.model_prices m
      join llm.llm_policies p on p.workspace_id = m.workspace_id and p.key = p_policy
      where m.workspace_id = p_workspace_id
        and (m.provider = p.provider and m.model = p.model
             or p.fallbacks @> jsonb_build_array(jsonb_build_object('provider', m.provider, 'model', m.model)))
    ), '[]'))
$$;
