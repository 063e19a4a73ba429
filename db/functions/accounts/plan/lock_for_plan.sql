-- Returns what the plan of an account depends on, and locks its row until the end of the transaction.
create or replace function accounts.lock_for_plan(p_workspace_id uuid, p_account_id uuid, p_now timestamptz default now())
returns table (
  account jsonb, published_today int, last_published_at timestamptz, open jsonb, planned_today boolean)
language plpgsql as $$
declare
  v_account accounts.accounts;
  v_day     timestamptz;
begin
  select * into v_account from accounts.accounts
  where workspace_id = p_workspace_id and id = p_account_id
  for no key update;
  if not found then
    return;
  end if;
  -- A statement of its own: it sees what was committed while we waited for the lock.
  return query
  select to_jsonb(v_account), accounts.published_today(p_workspace_id, p_account_id, v_account.timezone, p_now),
    (select max(h.published_at) from accounts.history h
     where h.workspace_id = p_workspace_id and h.account_id = p_account_id),
    coalesce((
      select jsonb_agg(jsonb_build_object('id', q.id, 'at', q.scheduled_time, 'taken', q.status = 'processing',
          'last_published_at', (
            select max(h.published_at) from accounts.history h
            where h.workspace_id = p_workspace_id and h.object_id = q.object_id and h.chat_id = q.chat_id
              and h.account_id = p_account_id and not h.deleted),
          'object_id', q.object_id, 'chat_id', q.chat_id, 'format', q.format, 'origin', q.origin, 'allow_duplicate', q.allow_duplicate)
        order by q.scheduled_time, q.id)
      from accounts.queue q
      where q.workspace_id = p_workspace_id and q.account_id = p_account_id and q.status in ('pending', 'processing')), '[]'),
    exists (
      select from accounts.planned_days d
      where d.workspace_id = p_workspace_id and d.account_id = p_account_id
        and d.day = (p_now at time zone v_account.timezone)::date);
end
$$;
