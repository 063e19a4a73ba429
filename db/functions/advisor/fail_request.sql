-- Returns what the request held; it may be made again with the same id.
create or replace function advisor.fail_request(
  p_workspace_id uuid, p_request_id uuid, p_attempt int, p_error text, p_now timestamptz default now()
) returns boolean
language plpgsql as $$
declare
  v_row advisor.request_dedup;
begin
  -- The person's row is always locked first, so that two requests never deadlock.
  perform from advisor.users u
  join advisor.request_dedup d on d.workspace_id = u.workspace_id and d.user_id = u.id
  where d.workspace_id = p_workspace_id and d.request_id = p_request_id for no key update of u;
  select * into v_row from advisor.request_dedup d
  where d.workspace_id = p_workspace_id and d.request_id = p_request_id and d.attempt = p_attempt and d.status = 'started'
  for update;
  if not found then
    return false;
  end if;
  perform advisor.give_back(p_workspace_id, v_row.user_id, v_row.held);
  update advisor.request_dedup d set status = 'failed', held = '{}', error_text = left(p_error, 200), finished_at = p_now
  where d.workspace_id = p_workspace_id and d.request_id = p_request_id;
  return true;
end
$$;
