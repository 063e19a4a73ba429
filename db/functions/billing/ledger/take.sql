-- Moves tokens from a person to `in_progress`, `done` or `adjustments`, if the person has them. Everything else is written before
-- the person's row is updated, so that the row is locked only for one update and the commit.
create or replace function billing.take(
  p_workspace_id uuid, p_user_id bigint, p_amount int, p_kind text, p_key text, p_to text, p_operation text,
  p_run text default null, p_step text default null, p_note text default null, p_now timestamptz default now()
) returns int
language plpgsql as $$
declare
  v_balance int;
begin
  if coalesce(p_amount, 0) <= 0 then
    raise exception 'amount_not_positive' using detail = format('%s tokens cannot be taken', coalesce(p_amount::text, 'no'));
  end if;
  insert into billing.transfers (workspace_id, key, kind, user_id, run, step, operation, tokens, in_progress, done, adjustments,
    note, created_at)
  values (p_workspace_id, p_key, p_kind, p_user_id, p_run, p_step, p_operation, -p_amount,
    case p_to when 'in_progress' then p_amount else 0 end, case p_to when 'done' then p_amount else 0 end,
    case p_to when 'adjustments' then p_amount else 0 end, p_note, p_now)
  on conflict (workspace_id, key) do nothing;
  if not found then
    return billing.repeated(p_workspace_id, p_key, p_kind, p_user_id, -p_amount);
  end if;
  insert into billing.token_expenses (workspace_id, user_id, amount, operation_type, description, transfer_key, run, created_at)
  values (p_workspace_id, p_user_id, -p_amount, p_operation, p_note, p_key, p_run, p_now);

  update billing.users u set balance = u.balance - p_amount
  where u.workspace_id = p_workspace_id and u.id = p_user_id and u.balance >= p_amount
  returning u.balance into v_balance;
  if not found then
    select u.balance into v_balance from billing.users u where u.workspace_id = p_workspace_id and u.id = p_user_id;
    raise exception 'insufficient_balance'
      using detail = jsonb_build_object('balance', coalesce(v_balance, 0), 'needed', p_amount)::text;
  end if;
  return v_balance;
end
$$;
