-- Claims the next chat to join for one worker until its lease ends. Uses join_tasks_due.
-- An account that is switched off joins nothing; its task waits.
create or replace function accounts.take_join(p_lease_seconds int, p_now timestamptz default now())
returns table (
  workspace_id uuid, task_id uuid, account_id uuid, device jsonb, claim_token uuid, place int, link text, chat_id uuid,
  mode text, floods int, tries int)
language sql as $$
  with due as (
    select t.workspace_id, t.id from accounts.join_tasks t
    join accounts.accounts a on a.workspace_id = t.workspace_id and a.id = t.account_id and a.is_active
    where t.status = 'running' and t.next_run_at <= p_now and coalesce(t.claimed_until, '-infinity') <= p_now
    order by t.next_run_at
    limit 1
    for update of t skip locked
  ), taken as (
    update accounts.join_tasks t
    set claim_token = gen_random_uuid(), claimed_until = p_now + make_interval(secs => p_lease_seconds)
    from due where t.workspace_id = due.workspace_id and t.id = due.id
    returning t.*
  )
  select t.workspace_id, t.id, t.account_id, a.device, t.claim_token, s.place, s.link, s.chat_id, t.mode, t.floods, t.tries
  from taken t
  join accounts.accounts a on a.workspace_id = t.workspace_id and a.id = t.account_id
  cross join lateral (
    select s.place, s.link, s.chat_id from accounts.join_steps s
    where s.workspace_id = t.workspace_id and s.task_id = t.id and s.state = 'waiting'
    order by s.place limit 1
  ) s
$$;
