create or replace function accounts.day_planned(
  p_workspace_id uuid, p_account_id uuid, p_created int, p_dropped int, p_now timestamptz default now()
) returns void
language sql as $$
  insert into accounts.planned_days (workspace_id, account_id, day, planned_at, created, dropped)
  select p_workspace_id, p_account_id, (p_now at time zone a.timezone)::date, p_now, p_created, p_dropped
  from accounts.accounts a where a.workspace_id = p_workspace_id and a.id = p_account_id
  on conflict do nothing
$$;
