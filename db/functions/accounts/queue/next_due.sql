-- When the next task of an active account comes up; null when there is none.
create or replace function accounts.next_due(p_now timestamptz default now()) returns timestamptz
language sql stable as $$
  select min(d.scheduled_time)
  from accounts.accounts a
  cross join lateral (
    select q.scheduled_time from accounts.queue q
    where q.workspace_id = a.workspace_id and q.account_id = a.id and q.status = 'pending' and q.scheduled_time > p_now
    order by q.scheduled_time limit 1
  ) d
  where a.is_active
$$;
