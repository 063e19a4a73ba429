-- The hard limit of every account: seconds between two sends, and sends in a rolling hour. Kept in the database, so that all
-- processes share the count. Setting `account_rate_limit`: {enabled, seconds, per_hour}.
--
-- Returns null if one send may go now, else the seconds to wait. The network may be used only after null.
create or replace function accounts.pass_limiter(
  p_workspace_id uuid, p_account_id uuid, p_task_id uuid, p_now timestamptz default now()
) returns int
language plpgsql as $$
declare
  v_status record;
begin
  -- One at a time: the account's row is the lock.
  perform from accounts.accounts where workspace_id = p_workspace_id and id = p_account_id for no key update;
  select * into v_status from accounts.limiter_status(p_workspace_id, p_account_id, p_now);
  if not v_status.can_send then
    return v_status.wait_seconds;
  end if;
  insert into accounts.sends (workspace_id, account_id, at, task_id)
  values (p_workspace_id, p_account_id, p_now, p_task_id);
  delete from accounts.sends
  where workspace_id = p_workspace_id and account_id = p_account_id and at <= p_now - interval '1 hour';
  return null;
end
$$;
