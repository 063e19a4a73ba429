-- Records the result of a step. False if the claim was lost to another worker. A task that was paused or cancelled meanwhile
-- stays so; the chat still counts.
create or replace function accounts.settle_join(
  p_workspace_id uuid, p_task_id uuid, p_claim_token uuid, p_place int, p_decision jsonb, p_chat jsonb default null,
  p_now timestamptz default now()
) returns boolean
language plpgsql as $$
declare
  v_task accounts.join_tasks;
  v_go   text := p_decision #>> '{task,go}';
  v_chat uuid;
  v_left boolean;
begin
  select * into v_task from accounts.join_tasks
  where workspace_id = p_workspace_id and id = p_task_id and claim_token = p_claim_token for update;
  if not found then
    return false;
  end if;

  if p_decision ? 'chat' then
    if p_chat is not null then
      v_chat := accounts.keep_chat(p_workspace_id, v_task.account_id, p_chat,
        (select chat_id from accounts.join_steps
         where workspace_id = p_workspace_id and task_id = p_task_id and place = p_place), p_now);
    end if;
    update accounts.join_steps
    set state = p_decision #>> '{chat,state}', last_error = p_decision #>> '{error,message}', done_at = p_now,
        chat_id = coalesce(v_chat, chat_id)
    where workspace_id = p_workspace_id and task_id = p_task_id and place = p_place;
  end if;
  v_left := exists (select from accounts.join_steps
                    where workspace_id = p_workspace_id and task_id = p_task_id and state = 'waiting');

  update accounts.join_tasks t
  set status = case
        when t.status not in ('running', 'paused') then t.status
        when not v_left then 'completed'
        when v_go = 'flood' then 'flood_wait'
        when v_go = 'stop' then 'failed'
        else t.status
      end,
      reason = case when v_go = 'stop' and v_left and t.status in ('running', 'paused') then p_decision #>> '{task,code}'
                    else t.reason end,
      completed_at = case when t.status in ('running', 'paused') and not v_left then p_now end,
      next_run_at = coalesce((p_decision #>> '{task,at}')::timestamptz, t.next_run_at),
      flood_until = case when v_go = 'flood' then (p_decision #>> '{task,until}')::timestamptz end,
      floods = (p_decision ->> 'floods')::int,
      tries = (p_decision ->> 'tries')::int,
      last_error = p_decision #>> '{error,message}',
      claim_token = null, claimed_until = null, updated_at = p_now
  where t.workspace_id = p_workspace_id and t.id = p_task_id;

  -- The account can do nothing any more, so publishing stops too.
  if v_go = 'stop' then
    perform accounts.stop_without_task(p_workspace_id, v_task.account_id, p_decision #>> '{task,code}',
      p_decision #>> '{error,message}', null, p_decision -> 'error', jsonb_build_object('join_task_id', p_task_id), p_now);
  end if;
  perform accounts.note(p_workspace_id,
    case when s.state in ('joined', 'member') then 'account_chat_joined'
         when p_decision #>> '{error,code}' = 'flood_wait' then 'account_join_flood'
         else 'account_join_failed' end,
    v_task.account_id, null, p_decision -> 'error',
    jsonb_build_object('join_task_id', p_task_id, 'chat_id', s.chat_id, 'link', s.link,
      'state', p_decision #>> '{chat,state}', 'until', p_decision #>> '{task,until}'), p_now)
  from accounts.join_steps s
  where s.workspace_id = p_workspace_id and s.task_id = p_task_id and s.place = p_place;
  return true;
end
$$;
