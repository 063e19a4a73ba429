-- Lowers a hold to the real cost of the work; the rest is returned at once. Returns the balance.
create or replace function billing.lower_hold(
  p_workspace_id uuid, p_run text, p_step text, p_amount int, p_note text default null, p_now timestamptz default now()
) returns int
language plpgsql as $$
declare
  v_hold    billing.holds := billing.lock_hold(p_workspace_id, p_run, p_step);
  v_balance int;
begin
  if coalesce(p_amount, 0) <= 0 then
    raise exception 'amount_not_positive' using detail = 'To give everything back, return the hold.';
  end if;
  if p_amount > v_hold.amount then
    raise exception 'hold_only_lowers' using detail = format('%s/%s holds %s tokens, less than %s', p_run, p_step, v_hold.amount, p_amount);
  end if;
  if p_amount = v_hold.amount then
    return (select u.balance from billing.users u where u.workspace_id = p_workspace_id and u.id = v_hold.user_id);
  end if;
  if v_hold.state <> 'held' then
    raise exception 'hold_ended' using detail = format('%s/%s was %s', p_run, p_step, v_hold.state);
  end if;
  v_balance := billing.give(p_workspace_id, v_hold.user_id, 'lower', format('lower/%s/%s/%s', p_run, p_step, p_amount), 'refund',
    p_in_progress => v_hold.amount - p_amount, p_run => p_run, p_step => p_step, p_note => p_note, p_now => p_now);
  update billing.holds h set amount = p_amount
  where h.workspace_id = p_workspace_id and h.run = p_run and h.step = p_step;
  return v_balance;
end
$$;
