-- Accounts with a task that is due: active, in their window, below their limit, with nothing under way.
create or replace function accounts.due_accounts(p_limit int default 100, p_now timestamptz default now())
returns table (workspace_id uuid, account_id uuid)
language sql stable as $$
  select a.workspace_id, a.id
  from accounts.accounts a
  join workspaces.workspaces w on w.workspace_id = a.workspace_id and w.status = 'active'
  cross join lateral (
    -- Uses queue_due.
    select q.scheduled_time from accounts.queue q
    left join accounts.account_chats l
      on l.workspace_id = q.workspace_id and l.account_id = q.account_id and l.chat_id = q.chat_id
    where q.workspace_id = a.workspace_id and q.account_id = a.id and q.status = 'pending' and q.scheduled_time <= p_now
      and (l.slow_mode_until is null or l.slow_mode_until <= p_now)
    order by q.scheduled_time limit 1
  ) d
  where a.is_active and accounts.window_open(a.timezone, a.window_from, a.window_to, p_now)
    and not exists (
      select from accounts.queue q
      where q.workspace_id = a.workspace_id and q.account_id = a.id and q.status = 'processing')
    and accounts.published_today(a.workspace_id, a.id, a.timezone, p_now) < a.daily_limit
  order by d.scheduled_time
  limit p_limit
$$;
