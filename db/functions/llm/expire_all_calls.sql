-- Expires calls of dead processes in every workspace, so that reports are right without a next call.
create or replace function llm.expire_all_calls(p_now timestamptz default now()) returns int
language plpgsql as $$
declare
  v_workspace_id uuid;
  v_count        int := 0;
begin
  for v_workspace_id in
    select distinct c.workspace_id from llm.calls c where c.status = 'reserved' and c.expires_at <= p_now order by 1
  loop
    perform llm.lock_books(v_workspace_id);
    v_count := v_count + llm.expire_calls(v_workspace_id, p_now);
  end loop;
  return v_count;
end
$$;
