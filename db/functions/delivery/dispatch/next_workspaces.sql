-- The active workspaces with live deliveries or waiting corrections, in rotation: each round begins after the workspace that
-- was first in the previous round, so that nobody always waits behind the same neighbour. A loose index scan over
-- deliveries_due and corrections_due.
create or replace function delivery.next_workspaces(p_now timestamptz default now()) returns setof uuid
language plpgsql
set plan_cache_mode = force_custom_plan
as $$
declare
  v_last uuid;
  v_live uuid[];
begin
  select s.workspace_id_last into v_last from delivery.dispatcher_state s;
  with recursive hop as (
    (select d.workspace_id from delivery.deliveries d
     where d.status in ('queued', 'claimed', 'sending', 'retry')
     order by d.workspace_id, d.status, d.not_before, d.next_retry_at limit 1)
    union all
    select n.workspace_id
    from hop h
    cross join lateral (
      select d.workspace_id from delivery.deliveries d
      where d.status in ('queued', 'claimed', 'sending', 'retry') and d.workspace_id > h.workspace_id
      order by d.workspace_id, d.status, d.not_before, d.next_retry_at limit 1
    ) n
  ),
  hop_corrections as (
    (select c.workspace_id from delivery.corrections c
     where c.status in ('queued', 'retry') order by c.workspace_id, c.due_at, c.correction_id limit 1)
    union all
    select n.workspace_id
    from hop_corrections h
    cross join lateral (
      select c.workspace_id from delivery.corrections c
      where c.status in ('queued', 'retry') and c.workspace_id > h.workspace_id
      order by c.workspace_id, c.due_at, c.correction_id limit 1
    ) n
  )
  select array_agg(h.workspace_id order by (h.workspace_id > v_last) desc nulls last, h.workspace_id)
  into v_live
  from (select workspace_id from hop union select workspace_id from hop_corrections) h
  join workspaces.workspaces w on w.workspace_id = h.workspace_id and w.status = 'active';

  if cardinality(v_live) > 1 then
    -- Best effort: several dispatchers may move the mark, none waits for it.
    update delivery.dispatcher_state s set workspace_id_last = v_live[1], updated_at = p_now
    where s.only_row and exists (select from delivery.dispatcher_state f where f.only_row for update skip locked);
  end if;
  return query select unnest(v_live);
end
$$;
