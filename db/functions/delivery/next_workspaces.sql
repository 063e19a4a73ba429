-- The active workspaces that have something to claim or to start, in turn: each round begins after the workspace that
-- began the round before, so that nobody waits behind the same neighbour for ever.
create or replace function delivery.next_workspaces(p_now timestamptz default now()) returns table (workspace_id uuid)
language plpgsql as $$
#variable_conflict use_column
declare
  v_last uuid;
begin
  select s.workspace_id_last into v_last from delivery.dispatcher_state s;
  return query
    select w.workspace_id from delivery.workspaces w
    where w.status = 'active' and exists (
      select from delivery.deliveries d
      where d.workspace_id = w.workspace_id and d.status in ('queued', 'retry', 'claimed') and d.not_before <= p_now)
    order by (w.workspace_id > v_last) desc nulls last, w.workspace_id;
  -- Best effort: several dispatchers may move the mark, none waits for it.
  update delivery.dispatcher_state s
  set workspace_id_last = coalesce(
        (select w.workspace_id from delivery.workspaces w
         where w.status = 'active' and w.workspace_id > v_last order by w.workspace_id limit 1),
        (select w.workspace_id from delivery.workspaces w where w.status = 'active' order by w.workspace_id limit 1)),
      updated_at = p_now
  where exists (select from delivery.dispatcher_state f where f.only_row for update skip locked)
    and (select count(*) from delivery.workspaces w where w.status = 'active') > 1;
end
$$;
