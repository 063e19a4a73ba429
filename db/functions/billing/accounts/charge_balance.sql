-- The charge of the specification: takes tokens for finished work, or raises insufficient_balance. Returns the balance. For work
-- whose outcome is still open, use billing.hold.
create or replace function billing.charge_balance(
  p_workspace_id uuid, p_user_id bigint, p_amount int, p_operation text default 'text_generation', p_key text default null,
  p_note text default null, p_now timestamptz default now()
) returns int
language sql as $$
  select billing.take(p_workspace_id, p_user_id, p_amount, 'charge', 'charge/' || coalesce(p_key, molva.uuidv7(p_now)::text), 'done',
    p_operation, p_note => p_note, p_now => p_now)
$$;
