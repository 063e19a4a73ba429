-- An operator gives tokens, or takes them if there are enough. Who and why is recorded in the audit trail. Returns the balance.
create or replace function billing.adjust(
  p_workspace_id uuid, p_user_id bigint, p_amount int, p_operator text, p_reason text, p_key text default null,
  p_now timestamptz default now()
) returns int
language plpgsql as $$
declare
  v_key     text := 'adjustment/' || coalesce(p_key, molva.uuidv7(p_now)::text);
  v_balance int;
begin
  if coalesce(p_amount, 0) = 0 then
    raise exception 'amount_not_positive' using detail = 'Give tokens to add, or with a minus to take.';
  end if;
  if length(btrim(coalesce(p_reason, ''))) < 3 then
    raise exception 'reason_missing' using detail = 'Say why: it stands in the audit trail.';
  end if;
  -- Serialises calls with the same key, so that the second finds the first done.
  perform from billing.users u where u.workspace_id = p_workspace_id and u.id = p_user_id for no key update;
  if not found then
    raise exception 'user_unknown' using detail = format('Nobody has the id %s here.', p_user_id);
  end if;
  if exists (select from billing.transfers t where t.workspace_id = p_workspace_id and t.key = v_key) then
    return billing.repeated(p_workspace_id, v_key, 'adjustment', p_user_id, p_amount);
  end if;
  if p_amount > 0 then
    v_balance := billing.give(p_workspace_id, p_user_id, 'adjustment', v_key, 'adjustment',
      p_adjustments => p_amount, p_note => p_reason, p_now => p_now);
  else
    v_balance := billing.take(p_workspace_id, p_user_id, -p_amount, 'adjustment', v_key, 'adjustments', 'adjustment',
      p_note => p_reason, p_now => p_now);
  end if;
  perform workspaces.note_change(p_workspace_id, null, 'balance_adjusted', p_operator, p_reason,
    jsonb_build_object('user_id', p_user_id, 'tokens', p_amount, 'balance', v_balance), p_now);
  return v_balance;
end
$$;
