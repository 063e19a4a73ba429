-- Changes with every row that a briefing is made of, so that a cached briefing can be checked.
create or replace function llm.briefing_stamp(p_workspace_id uuid, p_policy text, p_prompt text) returns text
language sql stable as $$
  select concat_ws('-',
    (select p.xmin from llm.llm_policies p where p.workspace_id = p_workspace_id and p.key = p_policy),
    (select t.xmin from llm.prompts t where t.workspace_id = p_workspace_id and t.name = p_prompt and t.active),
    (select sum(m.xmin::text::bigint) from llm.model_prices m where m.workspace_id = p_workspace_id))
$$;
