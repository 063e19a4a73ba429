-- Reserves more for the same call and renews its lease. Returns {}, or {refused}: `budget` as in reserve_call, or `expired` if
-- the call has expired meanwhile.
create or replace function llm.extend_call(
  p_workspace_id uuid, p_call_id uuid, p_usd numeric, p_tokens bigint, p_lease interval, p_now timestamptz default now()
) returns jsonb
language plpgsql as $$
declare
  v_call llm.calls;
  v_cap  jsonb;
  v_more boolean;
begin
  perform llm.lock_books(p_workspace_id);
  select * into v_call from llm.calls c where c.workspace_id = p_workspace_id and c.call_id = p_call_id for update;
  if v_call.status is distinct from 'reserved' then
    return jsonb_build_object('refused', 'expired');
  end if;
  -- A call that began without caps also ends without them.
  v_more := p_tokens > 0 and v_call.reserved_tokens > 0;
  if v_more then
    if exists (select from llm.installation_caps) then
      perform llm.lock_installation();
    end if;
    v_cap := llm.passed_cap(p_workspace_id, v_call.policy, v_call.user_id, v_call.started_at, p_usd, p_tokens, 0);
    if v_cap is not null then
      return jsonb_build_object('refused', 'budget', 'cap', v_cap);
    end if;
    perform llm.book(p_workspace_id, v_call.policy, v_call.user_id, v_call.started_at, coalesce(p_usd, 0), p_tokens, 0);
  end if;
  update llm.calls c set
    reserved_usd = c.reserved_usd + case when v_more then coalesce(p_usd, 0) else 0 end,
    reserved_tokens = c.reserved_tokens + case when v_more then p_tokens else 0 end,
    expires_at = p_now + p_lease
  where c.workspace_id = p_workspace_id and c.call_id = p_call_id;
  return '{}';
end
$$;
