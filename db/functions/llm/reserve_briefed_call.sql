-- The same for a caller with a cached briefing: {refused: stale} if policy, prices or prompt have changed since.
create or replace function llm.reserve_briefed_call(
  p_stamp text, p_workspace_id uuid, p_request_id text, p_policy text, p_user_id text, p_kind text, p_prompt text,
  p_prompt_version int, p_usd numeric, p_tokens bigint, p_lease interval, p_now timestamptz default now()
) returns jsonb
language plpgsql as $$
begin
  if p_stamp is distinct from llm.briefing_stamp(p_workspace_id, p_policy, p_prompt) then
    return jsonb_build_object('refused', 'stale');
  end if;
  return llm.reserve_call(p_workspace_id, p_request_id, p_policy, p_user_id, p_kind, p_prompt, p_prompt_version, p_usd, p_tokens,
    p_lease, p_now);
end
$$;
