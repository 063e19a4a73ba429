-- Molva's own driver: finds the nearest slot of a schedule after an instant that has not fired; none if the schedule is off. It may be
-- called long after the change that it follows, as when another driver takes over.
create or replace function seo.arrange_schedule(
  p_workspace_id uuid, p_schedule_id int, p_after timestamptz, p_now timestamptz default now()
) returns timestamptz
language sql as $$
  update seo.platform_schedules s
  set next_due_at = case when s.enabled then (
    select n.due_at
    from seo.categories c
    join seo.projects p on p.workspace_id = c.workspace_id and p.id = c.project_id
    cross join lateral seo.slots_between(s.schedule_days, s.schedule_times, p.timezone,
      -- Every weekday is among the last eight days: fire_due notes nothing older.
      greatest(p_after, p_now - interval '8 days'),
      -- A week has every day; one more for a date on which all slots have fired in another zone, and one for that zone.
      greatest(p_after, p_now) + interval '16 days') n
    where c.workspace_id = s.workspace_id and c.id = s.category_id and not exists (
      select from seo.autopublications a
      where a.workspace_id = s.workspace_id and a.schedule_id = s.id and a.local_date = n.local_date and a.slot = n.slot)
    order by n.due_at, n.slot
    limit 1) end
  where s.workspace_id = p_workspace_id and s.id = p_schedule_id
  returning s.next_due_at
$$;
