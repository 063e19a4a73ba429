-- Accounts in their window with a task that is p_late_seconds late although nothing held it back.
create or replace function accounts.late_accounts(p_late_seconds int, p_now timestamptz default now())
returns table (workspace_id uuid, account_id uuid)
language sql stable as $$
  select a.workspace_id, a.id
  from accounts.accounts a
  join workspaces.workspaces w on w.workspace_id = a.workspace_id and w.status = 'active'
  where a.is_active and accounts.window_open(a.timezone, a.window_from, a.window_to, p_now)
    and exists (
      select from accounts.queue q
      where q.workspace_id = a.workspace_id and q.account_id = a.id and q.status = 'pending'
        and q.scheduled_time < p_now - make_interval(secs => p_late_seconds))
  order by 1, 2
$$;
