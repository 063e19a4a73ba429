-- Creates a task for an account to join the chats of a list that it is not in yet, in the list's order. Null if there are none.
create or replace function accounts.begin_joining(
  p_workspace_id uuid, p_account_id uuid, p_list_id uuid, p_owner text, p_mode text, p_now timestamptz default now()
) returns uuid
language plpgsql as $$
declare
  v_task uuid := molva.uuidv7(p_now);
begin
  insert into accounts.join_tasks (
    workspace_id, id, account_id, list_id, list_name, owner, mode, next_run_at, created_at, updated_at)
  select p_workspace_id, v_task, p_account_id, l.id, l.name, p_owner, p_mode, p_now, p_now, p_now
  from accounts.chat_lists l where l.workspace_id = p_workspace_id and l.id = p_list_id;
  insert into accounts.join_steps (workspace_id, task_id, place, link, chat_id)
  select p_workspace_id, v_task, row_number() over (order by i.place), k.link, k.chat_id
  from accounts.chat_list_links i
  join accounts.chat_links k on k.workspace_id = i.workspace_id and k.key = i.key
  where i.workspace_id = p_workspace_id and i.list_id = p_list_id
    and not exists (select from accounts.account_chats a
                    where a.workspace_id = p_workspace_id and a.account_id = p_account_id and a.chat_id = k.chat_id
                      and a.stopped_code is distinct from 'not_in_chat');
  if not found then
    delete from accounts.join_tasks where workspace_id = p_workspace_id and id = v_task;
    return null;
  end if;
  return v_task;
end
$$;
