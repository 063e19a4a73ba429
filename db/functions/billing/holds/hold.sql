-- Holds tokens for a step of work before it begins, or raises insufficient_balance. Returns the balance. A repeat returns the
-- same; a step that has ended is refused, since doing it again would be free.
create or replace function billing.hold(
  p_workspace_id uuid, p_user_id bigint, p_amount int, p_run text, p_step text, p_operation text, p_note text default null,
  p_now timestamptz default now()
) returns int
language plpgsql as $$
declare
  v_hold billing.holds;
begin
  if coalesce(p_amount, 0) <= 0 then
    raise exception 'amount_not_positive' using detail = format('%s tokens cannot be held', coalesce(p_amount::text, 'no'));
  end if;
  insert into billing.holds (workspace_id, run, step, user_id, operation, charged, amount, created_at)
  values (p_workspace_id, p_run, p_step, p_user_id, p_operation, p_amount, p_amount, p_now)
  on conflict (workspace_id, run, step) do nothing;
  if found then
    return billing.take(p_workspace_id, p_user_id, p_amount, 'hold', format('hold/%s/%s', p_run, p_step), 'in_progress', p_operation,
      p_run, p_step, p_note, p_now);
  end if;

  v_hold := billing.lock_hold(p_workspace_id, p_run, p_step);
  if (v_hold.user_id, v_hold.operation, v_hold.charged) is distinct from (p_user_id, p_operation, p_amount) then
    raise exception 'key_reused'
      using detail = format('%s/%s holds %s tokens of %s for %s already', p_run, p_step, v_hold.charged, v_hold.user_id, v_hold.operation);
  end if;
  if v_hold.state <> 'held' then
    raise exception 'hold_ended' using detail = format('%s/%s was %s', p_run, p_step, v_hold.state);
  end if;
  return (select u.balance from billing.users u where u.workspace_id = p_workspace_id and u.id = p_user_id);
end
$$;
