-- Begins a request that is a question. Returns what advisor.begin_request returns; if it has begun, also {state, memory}, the
-- latter for Pro only.
create or replace function advisor.begin_question(
  p_workspace_id uuid, p_request_id uuid, p_route text, p_payload_hash text, p_telegram_user_id bigint, p_trace text,
  p_locale text, p_pet_id uuid, p_wants jsonb, p_plans jsonb, p_stale interval, p_summaries int,
  p_client_message_id text default null, p_now timestamptz default now()
) returns jsonb
language plpgsql as $$
declare
  v_begun jsonb := advisor.begin_request(p_workspace_id, p_request_id, p_route, p_payload_hash, p_telegram_user_id, p_trace, p_locale,
    p_pet_id, p_wants, p_plans, p_stale, p_client_message_id, p_now);
  v_user  advisor.users;
begin
  if not v_begun ? 'begun' then
    return v_begun;
  end if;
  select * into v_user from advisor.users u where u.workspace_id = p_workspace_id and u.id = (v_begun ->> 'user_id')::uuid;
  return v_begun || jsonb_build_object(
    'state', advisor.state_of(v_user, p_plans, p_now),
    'memory', case v_user.plan when 'pro' then advisor.memory_of(p_workspace_id, v_user.id, p_pet_id, p_summaries) end);
end
$$;
