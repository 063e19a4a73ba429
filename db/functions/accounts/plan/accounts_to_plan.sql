-- Active accounts whose window has opened on a day that is not planned yet.
create or replace function accounts.accounts_to_plan(p_now timestamptz default now())
returns table (workspace_id uuid, account_id uuid)
language sql stable as $$
  select a.workspace_id, a.id
  from accounts.accounts a
  join workspaces.workspaces w on w.workspace_id = a.workspace_id and w.status = 'active'
  where a.is_active and accounts.window_open(a.timezone, a.window_from, a.window_to, p_now)
    and not exists (
      select from accounts.planned_days d
      where d.workspace_id = a.workspace_id and d.account_id = a.id and d.day = (p_now at time zone a.timezone)::date)
  order by 1, 2
$$;
