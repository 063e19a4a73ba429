-- Brings a person's money from another system, as one piece and once: payments and expenses as transfers of their own, then what they do
-- not explain as the opening balance, so that the sum is `p_balance`. `p_returns` are tokens that go back to the person on the way.
-- Nothing is announced and no referrer is paid: all of it happened before. Returns the balance.
create or replace function billing.import_account(
  p_workspace_id uuid, p_user_id bigint, p_balance int, p_product text, p_payments jsonb, p_expenses jsonb, p_returns jsonb, p_note text,
  p_since timestamptz, p_now timestamptz default now()
) returns int
language plpgsql as $$
declare
  v_before  int;
  v_moved   bigint;
  v_balance bigint;
  v_tokens  bigint;
  v_debt    bigint;
begin
  insert into billing.users (workspace_id, id, created_at) values (p_workspace_id, p_user_id, p_since)
  on conflict (workspace_id, id) do nothing;
  select u.balance into strict v_before from billing.users u
  where u.workspace_id = p_workspace_id and u.id = p_user_id for no key update;

  v_moved := billing.import_payments(p_workspace_id, p_user_id, p_product, p_payments)
    + billing.import_expenses(p_workspace_id, p_user_id, p_expenses)
    + billing.import_expenses(p_workspace_id, p_user_id, p_returns);
  v_balance := v_before::bigint + p_balance
    + coalesce((select sum((r ->> 'amount')::int) from jsonb_array_elements(p_returns) r), 0);
  if v_balance > 2147483647 then
    raise exception 'balance_too_large' using detail = format('%s tokens are too many.', v_balance);
  end if;
  v_tokens := greatest(v_balance, 0) - greatest(v_before, 0) - v_moved;
  v_debt := least(v_balance, 0) - least(v_before, 0);
  if v_tokens <> 0 or v_debt <> 0 then
    insert into billing.transfers (workspace_id, key, kind, user_id, operation, tokens, debt, adjustments, note, created_at)
    values (p_workspace_id, format('adjustment/import/%s', p_user_id), 'adjustment', p_user_id, 'adjustment', v_tokens, v_debt,
      -v_tokens - v_debt, p_note, p_since);
  end if;
  if v_tokens + v_debt <> 0 then
    insert into billing.token_expenses (workspace_id, user_id, amount, operation_type, description, transfer_key, created_at)
    values (p_workspace_id, p_user_id, v_tokens + v_debt, 'adjustment', p_note, format('adjustment/import/%s', p_user_id), p_since);
  end if;
  update billing.users u set balance = v_balance where u.workspace_id = p_workspace_id and u.id = p_user_id;
  return v_balance;
end
$$;
