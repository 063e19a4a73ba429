-- Registers a call before anything is sent. `verdict`:
--   begun       the caller has to send it;
--   doubtful    the same, but an earlier attempt may have arrived: look it up first;
--   ended       it was answered before, `answer` is that answer;
--   running     another request with this key has not ended yet;
--   other_body  the key was used for another post.
create or replace function delivery.begin_adapter_call(
  p_workspace_id uuid, p_call_key text, p_channel_id uuid, p_body_hash text, p_lease interval, p_now timestamptz default now(),
  out verdict text, out answer jsonb, out progress jsonb, out started_at timestamptz
)
language plpgsql as $$
declare
  v_call delivery.adapter_calls;
begin
  insert into delivery.adapter_calls (workspace_id, call_key, channel_id, body_hash, started_at, running_until)
  values (p_workspace_id, p_call_key, p_channel_id, p_body_hash, p_now, p_now + p_lease)
  on conflict (workspace_id, call_key) do nothing;
  if found then
    verdict := 'begun';
    progress := '[]';
    started_at := p_now;
    return;
  end if;

  select * into v_call from delivery.adapter_calls c
  where c.workspace_id = p_workspace_id and c.call_key = p_call_key
  for update;
  progress := v_call.progress;
  started_at := v_call.started_at;
  answer := v_call.answer;
  verdict := case
    when (v_call.channel_id, v_call.body_hash) is distinct from (p_channel_id, p_body_hash) then 'other_body'
    when v_call.answer is null and v_call.running_until > p_now then 'running'
    -- Its process died during the request, or the provider's answer was lost.
    when v_call.answer is null or v_call.answer ->> 'outcome' = 'unknown' then 'doubtful'
    -- Nothing was sent, and a retry may succeed. A delivery has its next attempt for that.
    when v_call.body_hash is not null and v_call.answer #>> '{error,category}' = 'TRANSIENT' then 'begun'
    else 'ended'
  end;
  -- A delivery's token is valid for one call: its next attempt looks first.
  if verdict = 'doubtful' and v_call.body_hash is null then
    verdict := case when v_call.answer is null then 'running' else 'ended' end;
  end if;
  if verdict in ('begun', 'doubtful') then
    update delivery.adapter_calls c set running_until = p_now + p_lease, answer = null
    where c.workspace_id = p_workspace_id and c.call_key = p_call_key;
  end if;
end
$$;
