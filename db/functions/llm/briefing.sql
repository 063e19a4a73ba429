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
                                          'completion_usd', m.completion_usd, 'image_usd', m.image_usd))
      from llm.model_prices m
      join llm.llm_policies p on p.workspace_id = m.workspace_id and p.key = p_policy
      where m.workspace_id = p_workspace_id
        and (m.provider = p.provider and m.model = p.model
             or p.fallbacks @> jsonb_build_array(jsonb_build_object('provider', m.provider, 'model', m.model)))
    ), '[]'))
$$;
