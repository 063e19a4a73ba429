-- Takes the account's oldest task that is due. Everything that may hold back the account is checked again here, under its lock,
-- so that concurrent workers neither exceed its limit nor send two at once.
create or replace function accounts.take_task(
  p_workspace_id uuid, p_account_id uuid, p_now timestamptz default now()
) returns setof accounts.queue
language plpgsql as $$
declare
  v_account accounts.accounts;
  v_id      uuid;
begin
  select * into v_account from accounts.accounts
  where workspace_id = p_workspace_id and id = p_account_id
  for no key update;
  if not found or not v_account.is_active
    or not accounts.window_open(v_account.timezone, v_account.window_from, v_account.window_to, p_now)
    or accounts.published_today(p_workspace_id, p_account_id, v_account.timezone, p_now) >= v_account.daily_limit
    or exists (select from accounts.queue
               where workspace_id = p_workspace_id and account_id = p_account_id and status = 'processing')
    or not exists (select from workspaces.workspaces where workspace_id = p_workspace_id and status = 'active')
  then
    return;
  end if;

  -- A chat in slow mode does not block tasks for other chats.
  select q.id into v_id
  from accounts.queue q
  left join accounts.account_chats l
    on l.workspace_id = q.workspace_id and l.account_id = q.account_id and l.chat_id = q.chat_id
  where q.workspace_id = p_workspace_id and q.account_id = p_account_id and q.status = 'pending'
    and q.scheduled_time <= p_now and (l.slow_mode_until is null or l.slow_mode_until <= p_now)
  order by q.scheduled_time, q.id
  limit 1
  for update of q skip locked;
  if v_id is null then
    return;
  end if;

  return query
  update accounts.queue
  set status = 'processing', started_at = p_now, claim_token = gen_random_uuid(), updated_at = p_now
  where workspace_id = p_workspace_id and id = v_id
  returning *;
end
$$;
