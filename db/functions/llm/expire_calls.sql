-- Expires calls of dead processes and releases what was reserved for them. Call it under the lock of books.
create or replace function llm.expire_calls(p_workspace_id uuid, p_now timestamptz default now()) returns int
language plpgsql as $$
declare
  v_call  llm.calls;
  v_count int := 0;
begin
  for v_call in
    update llm.calls c set status = 'expired'
    where c.workspace_id = p_workspace_id and c.status = 'reserved' and c.expires_at <= p_now
    returning c.*
  loop
    if v_call.reserved_tokens > 0 then
      perform llm.book(p_workspace_id, v_call.policy, v_call.user_id, v_call.started_at,
        -v_call.reserved_usd, -v_call.reserved_tokens, -1);
    end if;
    v_count := v_count + 1;
  end loop;
  return v_count;
end
$$;
