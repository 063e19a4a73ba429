-- Locks the hold of a step until the end of the transaction.
create or replace function billing.lock_hold(p_workspace_id uuid, p_run text, p_step text) returns billing.holds
language plpgsql as $$
declare
  v_hold billing.holds;
begin
  select h.* into v_hold from billing.holds h
  where h.workspace_id = p_workspace_id and h.run = p_run and h.step = p_step
  for update;
  if not found then
    raise exception 'hold_unknown' using detail = format('Nothing is held for %s/%s.', p_run, p_step);
  end if;
  return v_hold;
end
$$;
