-- Objects and chats for which the account has had a task today, in any state: the daily plan is made once.
create or replace function accounts.tasks_of_day(p_workspace_id uuid, p_account_id uuid, p_now timestamptz default now())
returns table (object_id uuid, chat_id uuid)
language sql stable as $$
  select distinct q.object_id, q.chat_id
  from accounts.queue q
  join accounts.accounts a on a.workspace_id = q.workspace_id and a.id = q.account_id
  where q.workspace_id = p_workspace_id and q.account_id = p_account_id
    -- Uses queue_of_account; a task may have been postponed to today, so its time counts, not its creation.
    and q.scheduled_time >= accounts.day_start(a.timezone, p_now)
    and q.scheduled_time < accounts.day_start(a.timezone, p_now) + interval '26 hours'
    and (q.scheduled_time at time zone a.timezone)::date = (p_now at time zone a.timezone)::date
$$;
