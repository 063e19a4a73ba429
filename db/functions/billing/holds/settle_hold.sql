-- Ends a hold whose work was done: its tokens are spent. Returns the amount; a repeat returns the same, and 0 if the hold was
-- returned.
create or replace function billing.settle_hold(
  p_workspace_id uuid, p_run text, p_step text, p_reason text default null, p_now timestamptz default now()
) returns int
language plpgsql as $$
declare
  v_hold billing.holds := billing.lock_hold(p_workspace_id, p_run, p_step);
begin
  if v_hold.state = 'held' then
    -- The person's balance does not change: it was lowered by the hold.
    insert into billing.transfers (workspace_id, key, kind, user_id, run, step, operation, in_progress, done, note, created_at)
    values (p_workspace_id, format('settle/%s/%s', p_run, p_step), 'settle', v_hold.user_id, p_run, p_step, v_hold.operation,
      -v_hold.amount, v_hold.amount, p_reason, p_now);
    update billing.holds h set state = 'settled', reason = p_reason, ended_at = p_now
    where h.workspace_id = p_workspace_id and h.run = p_run and h.step = p_step;
    return v_hold.amount;
  end if;
  return case v_hold.state when 'settled' then v_hold.amount else 0 end;
end
$$;
