-- Takes tokens whose money was refunded, to `refunds` or `referral`. The only transfer that may make a balance negative: tokens
-- that are spent already become a debt. Returns the balance, null for an unknown person.
create or replace function billing.take_back(
  p_workspace_id uuid, p_user_id bigint, p_amount int, p_kind text, p_key text, p_to text,
  p_note text default null, p_now timestamptz default now()
) returns int
language plpgsql as $$
declare
  v_balance int;
  v_had     int;
begin
  if coalesce(p_amount, 0) <= 0 then
    raise exception 'amount_not_positive' using detail = format('%s tokens cannot be taken back', coalesce(p_amount::text, 'no'));
  end if;
  select u.balance into v_balance from billing.users u
  where u.workspace_id = p_workspace_id and u.id = p_user_id
  for no key update;
  if not found then
    return null;
  end if;
  v_had := least(p_amount, greatest(0, v_balance));

  insert into billing.transfers (workspace_id, key, kind, user_id, operation, tokens, debt, refunds, referral, note, created_at)
  values (p_workspace_id, p_key, p_kind, p_user_id, p_kind, -v_had, v_had - p_amount,
    case p_to when 'refunds' then p_amount else 0 end, case p_to when 'referral' then p_amount else 0 end, p_note, p_now)
  on conflict (workspace_id, key) do nothing;
  if not found then
    return billing.repeated(p_workspace_id, p_key, p_kind, p_user_id, -p_amount);
  end if;
  insert into billing.token_expenses (workspace_id, user_id, amount, operation_type, description, transfer_key, created_at)
  values (p_workspace_id, p_user_id, -p_amount, p_kind, p_note, p_key, p_now);
  update billing.users u set balance = u.balance - p_amount
  where u.workspace_id = p_workspace_id and u.id = p_user_id
  returning u.balance into v_balance;
  return v_balance;
end
$$;
