-- Moves tokens from the named accounts to a person; a debt is paid first. Returns the balance, null for an unknown person.
create or replace function billing.give(
  p_workspace_id uuid, p_user_id bigint, p_kind text, p_key text, p_operation text,
  p_in_progress int default 0, p_done int default 0, p_revenue int default 0, p_bonuses int default 0, p_referral int default 0,
  p_adjustments int default 0, p_provider text default null, p_run text default null, p_step text default null,
  p_note text default null, p_now timestamptz default now()
) returns int
language plpgsql as $$
declare
  v_amount  int := p_in_progress + p_done + p_revenue + p_bonuses + p_referral + p_adjustments;
  v_balance int;
  v_paid    int;
begin
  if v_amount is null or least(p_in_progress, p_done, p_revenue, p_bonuses, p_referral, p_adjustments) < 0 or v_amount = 0 then
    raise exception 'amount_not_positive' using detail = format('%s tokens cannot be given', coalesce(v_amount::text, 'no'));
  end if;
  select u.balance into v_balance from billing.users u
  where u.workspace_id = p_workspace_id and u.id = p_user_id
  for no key update;
  if not found then
    return null;
  end if;
  if v_balance::bigint + v_amount > 2147483647 then
    raise exception 'balance_too_large' using detail = format('%s tokens more than %s are too many.', v_amount, v_balance);
  end if;
  v_paid := least(v_amount, greatest(0, -v_balance));

  insert into billing.transfers (workspace_id, key, kind, user_id, run, step, operation, provider, tokens, debt, in_progress, done,
    revenue, bonuses, referral, adjustments, note, created_at)
  values (p_workspace_id, p_key, p_kind, p_user_id, p_run, p_step, p_operation, p_provider, v_amount - v_paid, v_paid,
    -p_in_progress, -p_done, -p_revenue, -p_bonuses, -p_referral, -p_adjustments, p_note, p_now)
  on conflict (workspace_id, key) do nothing;
  if not found then
    return billing.repeated(p_workspace_id, p_key, p_kind, p_user_id, v_amount);
  end if;
  insert into billing.token_expenses (workspace_id, user_id, amount, operation_type, description, transfer_key, run, created_at)
  values (p_workspace_id, p_user_id, v_amount, p_operation, p_note, p_key, p_run, p_now);
  update billing.users u set balance = u.balance + v_amount
  where u.workspace_id = p_workspace_id and u.id = p_user_id
  returning u.balance into v_balance;
  return v_balance;
end
$$;
