-- Stores that a slot is due, once. `fired`; `repeated` if it was stored before; `not_scheduled` if the schedule is gone or off, or has
-- no such slot on that day.
create or replace function seo.fire_slot(
  p_workspace_id uuid, p_schedule_id int, p_local_date date, p_slot text, p_now timestamptz default now()
) returns text
language plpgsql as $$
declare
  v_user bigint;
  v_zone text;
begin
  select p.user_id, p.timezone into v_user, v_zone
  from seo.platform_schedules s
  join seo.categories c on c.workspace_id = s.workspace_id and c.id = s.category_id
  join seo.projects p on p.workspace_id = c.workspace_id and p.id = c.project_id
  where s.workspace_id = p_workspace_id and s.id = p_schedule_id and s.enabled and p_slot = any (s.schedule_times)
    and (array['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'])[extract(isodow from p_local_date)::int] = any (s.schedule_days)
  for no key update of s;
  if not found then
    return 'not_scheduled';
  end if;
  insert into seo.autopublications (workspace_id, schedule_id, local_date, slot, user_id, due_at, state, turn, not_before, fired_at)
  values (p_workspace_id, p_schedule_id, p_local_date, p_slot, v_user, (p_local_date + p_slot::time) at time zone v_zone, 'waiting',
    seo.next_turn(p_workspace_id, v_user), p_now, p_now)
  on conflict do nothing;
  if not found then
    return 'repeated';
  end if;
  perform pg_notify('seo_autopublications', '');
  return 'fired';
end
$$;

-- The turn of a person's next slot: one after their last, and not before those who wait already. So somebody with a hundred slots lets
-- others in after each. Uses autopublications_of_user, autopublications_in_turn, autopublications_under_way.
create or replace function seo.next_turn(p_workspace_id uuid, p_user_id bigint) returns bigint
language sql stable as $$
  select greatest(
    (select max(a.turn) + 1 from seo.autopublications a
     where a.workspace_id = p_workspace_id and a.user_id = p_user_id and a.state in ('waiting', 'generating')),
    coalesce(
      (select min(a.turn) from seo.autopublications a where a.state = 'waiting'),
      (select max(a.turn) from seo.autopublications a where a.state = 'generating'), 0))
$$;
