-- Counts the events of finished minutes once, so that they are not read again for counting. A minute is counted one minute
-- after its end: by then its transactions have ended.
create or replace function delivery.health_roll_up(p_now timestamptz default now()) returns int
language plpgsql as $$
declare
  v_until   timestamptz := date_trunc('minute', p_now - interval '1 minute');
  v_counted int;
begin
  insert into delivery.event_rollups (workspace_id, rolled_until)
  select w.workspace_id, v_until - interval '1 day' from workspaces.workspaces w
  on conflict (workspace_id) do nothing;

  with due as materialized (
    select r.workspace_id, r.rolled_until from delivery.event_rollups r
    where r.rolled_until < v_until
    for update skip locked
  ),
  counted as materialized (
    select d.workspace_id, date_trunc('minute', e.ts) as minute, e.action, count(*) as count
    from due d
    join workspaces.events e on e.workspace_id = d.workspace_id and e.ts >= d.rolled_until and e.ts < v_until
    group by 1, 2, 3
  ),
  minutes as (
    insert into delivery.event_minutes (workspace_id, minute, action, count)
    select c.workspace_id, c.minute, c.action, c.count from counted c
  ),
  totals as (
    insert into delivery.event_totals as t (workspace_id, action, count)
    select c.workspace_id, c.action, sum(c.count) from counted c group by 1, 2
    on conflict (workspace_id, action) do update set count = t.count + excluded.count
  ),
  moved as (
    update delivery.event_rollups r set rolled_until = v_until
    from due d where r.workspace_id = d.workspace_id
  )
  select count(*) into v_counted from counted;
  return v_counted;
end
$$;
