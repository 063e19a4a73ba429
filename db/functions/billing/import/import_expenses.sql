-- Rows of the history; `transfer_key` is null for the cost of a provider's call, which moves nothing. An id that the person's history
-- has already is replaced. Returns the tokens that they moved.
create or replace function billing.import_expenses(p_workspace_id uuid, p_user_id bigint, p_expenses jsonb)
returns bigint
language plpgsql as $$
begin
  insert into billing.transfers (workspace_id, key, kind, user_id, operation, tokens, done, referral, note, created_at)
  select p_workspace_id, e.transfer_key,
    case when e.operation_type = 'referral_bonus' then 'credit' when e.amount < 0 then 'charge' else 'refund' end, p_user_id,
    e.operation_type, e.amount, case e.operation_type when 'referral_bonus' then 0 else -e.amount end,
    case e.operation_type when 'referral_bonus' then -e.amount else 0 end, e.description, e.created_at
  from jsonb_populate_recordset(null::billing.token_expenses, p_expenses) e
  where e.transfer_key is not null;
  insert into billing.token_expenses (workspace_id, id, user_id, amount, operation_type, description, ai_model, input_tokens,
    output_tokens, cost_usd, transfer_key, call_id, created_at)
  overriding system value
  select p_workspace_id,
    case when e.id is null or exists (
      select from billing.token_expenses k where k.workspace_id = p_workspace_id and k.user_id = p_user_id and k.id = e.id)
    then nextval(pg_get_serial_sequence('billing.token_expenses', 'id')) else e.id end,
    p_user_id, e.amount, e.operation_type, e.description, e.ai_model, e.input_tokens, e.output_tokens, e.cost_usd, e.transfer_key,
    e.call_id, e.created_at
  from jsonb_populate_recordset(null::billing.token_expenses, p_expenses) e;
  return coalesce((
    select sum((e ->> 'amount')::bigint) from jsonb_array_elements(p_expenses) e where e ->> 'transfer_key' is not null), 0);
end
$$;
