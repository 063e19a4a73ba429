-- Returns the tokens that a lost run still holds, with an event. Checks again under the locks of the holds, since the work may
-- have ended meanwhile. Returns the amount.
create or replace function billing.return_lost_run(
  p_workspace_id uuid, p_run text, p_after interval default '1 hour', p_now timestamptz default now()
) returns int
language plpgsql as $$
declare
  v_hold     billing.holds;
  v_user     bigint;
  v_returned int := 0;
begin
  for v_hold in
    select h.* from billing.holds h
    where h.workspace_id = p_workspace_id and h.run = p_run and h.state = 'held' and h.created_at <= p_now - p_after
    order by h.step
    for update
  loop
    if exists (select from billing.runs_in_work(p_workspace_id, array[p_run], p_now)) then
      return 0;
    end if;
    v_user := v_hold.user_id;
    v_returned := v_returned + billing.return_hold(p_workspace_id, p_run, v_hold.step, 'lost', p_now);
  end loop;
  if v_returned > 0 then
    insert into workspaces.events (workspace_id, id, ts, action, result, meta)
    values (p_workspace_id, molva.uuidv7(p_now), p_now, 'hold_returned', 'ok',
      jsonb_build_object('run', p_run, 'user_id', v_user, 'tokens', v_returned));
  end if;
  return v_returned;
end
$$;
