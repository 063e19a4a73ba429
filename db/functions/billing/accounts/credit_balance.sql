-- The credit of the specification. `referral_bonus` comes from the account of referrals, `welcome_bonus` from that of bonuses, a
-- `purchase` from the revenue `manual`: money that was not paid through a provider. Payments through a provider are credited by
-- billing.complete_payment. Returns the balance, null for an unknown person.
create or replace function billing.credit_balance(
  p_workspace_id uuid, p_user_id bigint, p_amount int, p_operation text default 'purchase', p_key text default null,
  p_note text default null, p_now timestamptz default now()
) returns int
language plpgsql as $$
begin
  if p_operation is null or p_operation not in ('purchase', 'referral_bonus', 'welcome_bonus') then
    raise exception 'operation_unknown'
      using detail = format('%s is no credit: give purchase, referral_bonus or welcome_bonus', coalesce(p_operation, 'null'));
  end if;
  if coalesce(p_amount, 0) <= 0 then
    raise exception 'amount_not_positive' using detail = format('%s tokens cannot be credited', coalesce(p_amount::text, 'no'));
  end if;
  return billing.give(p_workspace_id, p_user_id, 'credit', 'credit/' || coalesce(p_key, molva.uuidv7(p_now)::text), p_operation,
    p_revenue => case p_operation when 'purchase' then p_amount else 0 end,
    p_provider => case p_operation when 'purchase' then 'manual' end,
    p_referral => case p_operation when 'referral_bonus' then p_amount else 0 end,
    p_bonuses => case p_operation when 'welcome_bonus' then p_amount else 0 end,
    p_note => p_note, p_now => p_now);
end
$$;
