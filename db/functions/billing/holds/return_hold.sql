-- Ends a hold whose work was not done, and returns its tokens to the person. Returns the amount; a repeat returns the same, and 0
-- if the hold was settled.
create or replace function billing.return_hold(
  p_workspace_id uuid, p_run text, p_step text, p_reason text default null, p_now timestamptz default now()
) returns int
language plpgsql as $$
declare
  v_hold billing.holds := billing.lock_hold(p_workspace_id, p_run, p_step);
begin
  if v_hold.state = 'held' then
    perform billing.give(p_workspace_id, v_hold.user_id, 'return', format('return/%s/%s', p_run, p_step), 'refund',
      p_in_progress => v_hold.amount, p_run => p_run, p_step => p_step, p_note => p_reason, p_now => p_now);
    update billing.holds h set state = 'returned', reason = p_reason, ended_at = p_now
    where h.workspace_id = p_workspace_id and h.run = p_run and h.step = p_step;
    return v_hold.amount;
  end if;
  return case v_hold.state when 'returned' then v_hold.amount else 0 end;
end
$$;
