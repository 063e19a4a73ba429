-- The answer to a repeated transfer with the same key: the balance. A key that was used for a different transfer is refused.
create or replace function billing.repeated(
  p_workspace_id uuid, p_key text, p_kind text, p_user_id bigint, p_moved int
) returns int
language plpgsql as $$
declare
  v_done billing.transfers;
begin
  select t.* into strict v_done from billing.transfers t where t.workspace_id = p_workspace_id and t.key = p_key;
  if (v_done.kind, v_done.user_id, v_done.tokens + v_done.debt) is distinct from (p_kind, p_user_id, p_moved) then
    raise exception 'key_reused'
      using detail = format('%s stands for %s of %s tokens for %s already', p_key, v_done.kind, v_done.tokens + v_done.debt,
        v_done.user_id);
  end if;
  return (select u.balance from billing.users u where u.workspace_id = p_workspace_id and u.id = p_user_id);
end
$$;
