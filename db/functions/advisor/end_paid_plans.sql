-- Pro that was paid for and whose time is over becomes Free. Answers how many. Uses users_by_plan_end.
create or replace function advisor.end_paid_plans(p_now timestamptz default now()) returns bigint
language sql as $$
  with ended as (
    update advisor.users u set plan = 'free', plan_until = null
    where u.plan_until <= p_now
    returning u.workspace_id, u.id
  ),
  noted as (
    insert into workspaces.events (workspace_id, id, ts, action, result, meta)
    select e.workspace_id, molva.uuidv7(p_now), p_now, 'plan_ended', 'ok', jsonb_build_object('user_id', e.id) from ended e
  )
  select count(*) from ended
$$;
