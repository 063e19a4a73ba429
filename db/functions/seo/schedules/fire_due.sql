-- Molva's own driver: fires what is due, at most `p_limit` schedules. Several processes share the work. Of the slots that passed while
-- nobody was there, the last one fires; the others are noted as missed. Returns the number of schedules. Uses schedules_due.
create or replace function seo.fire_due(p_limit int, p_now timestamptz default now()) returns int
language plpgsql as $$
declare
  v_schedule record;
  v_slot     record;
  v_count    int := 0;
  v_is_last  boolean;
begin
  for v_schedule in
    select s.workspace_id, s.id, s.schedule_days, s.schedule_times, s.next_due_at, s.enabled, p.timezone, p.user_id
    from seo.platform_schedules s
    join seo.categories c on c.workspace_id = s.workspace_id and c.id = s.category_id
    join seo.projects p on p.workspace_id = c.workspace_id and p.id = c.project_id
    where s.next_due_at <= p_now
    order by s.next_due_at, s.workspace_id, s.id
    limit p_limit
    for no key update of s skip locked
  loop
    v_count := v_count + 1;
    v_is_last := true;
    if v_schedule.enabled then
      for v_slot in
        select n.* from seo.slots_between(v_schedule.schedule_days, v_schedule.schedule_times, v_schedule.timezone,
          -- Every weekday is among the last eight days: what is older is not worth a note.
          greatest(v_schedule.next_due_at - interval '1 microsecond', p_now - interval '8 days'), p_now) n
        order by n.due_at desc, n.slot desc
      loop
        if v_is_last then
          perform seo.fire_slot(v_schedule.workspace_id, v_schedule.id, v_slot.local_date, v_slot.slot, p_now);
        else
          insert into seo.autopublications (workspace_id, schedule_id, local_date, slot, user_id, due_at, state, reason, not_before,
            fired_at, ended_at)
          values (v_schedule.workspace_id, v_schedule.id, v_slot.local_date, v_slot.slot, v_schedule.user_id, v_slot.due_at, 'missed',
            'outage', p_now, p_now, p_now)
          on conflict do nothing;
        end if;
        v_is_last := false;
      end loop;
    end if;
    perform seo.arrange_schedule(v_schedule.workspace_id, v_schedule.id, p_now, p_now);
  end loop;
  return v_count;
end
$$;
