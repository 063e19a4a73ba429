-- The refund of the specification: gives back tokens of work that was settled or charged. Returns the balance, null for an
-- unknown person. Tokens that are still held are returned by billing.return_hold and billing.return_run instead.
create or replace function billing.refund_balance(
  p_workspace_id uuid, p_user_id bigint, p_amount int, p_operation text default null, p_key text default null,
  p_note text default null, p_now timestamptz default now()
) returns int
language plpgsql as $$
begin
  if coalesce(p_amount, 0) <= 0 then
    raise exception 'amount_not_positive' using detail = format('%s tokens cannot be refunded', coalesce(p_amount::text, 'no'));
  end if;
  return billing.give(p_workspace_id, p_user_id, 'refund', 'refund/' || coalesce(p_key, molva.uuidv7(p_now)::text), 'refund',
    p_done => p_amount, p_note => coalesce(p_note, p_operation), p_now => p_now);
end
$$;
