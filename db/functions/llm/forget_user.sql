-- Removes a person from the books; the spending stays with the workspace and the policies.
create or replace function llm.forget_user(p_workspace_id uuid, p_user_id text) returns int
language plpgsql as $$
declare
  v_count int;
begin
  perform llm.lock_books(p_workspace_id);
  -- A provider's error may quote the question.
  update llm.requests r set error = null
  from llm.calls c
  where c.workspace_id = p_workspace_id and c.user_id = p_user_id and r.workspace_id = p_workspace_id and r.call_id = c.call_id;
  update llm.calls c set user_id = null, request_id = null
  where c.workspace_id = p_workspace_id and c.user_id = p_user_id;
  get diagnostics v_count = row_count;
  delete from llm.spending s where s.workspace_id = p_workspace_id and s.scope = 'user' and s.subject = p_user_id;
  delete from llm.budgets b where b.workspace_id = p_workspace_id and b.scope = 'user' and b.subject = p_user_id;
  return v_count;
end
$$;
