-- Switches an account on again. Today's tasks that waited for the end of the flood are queued again; older ones end. The caller
-- gives the tasks new times.
create or replace function accounts.reactivate(
  p_workspace_id uuid, p_account_id uuid, p_words_expired text, p_by text, p_meta jsonb default '{}',
  p_now timestamptz default now()
) returns table (resumed int, expired int)
language plpgsql as $$
declare
  v_account accounts.accounts;
  v_task    accounts.queue;
begin
  resumed := 0;
  expired := 0;
  update accounts.accounts a
  set is_active = true, stopped_code = null, stopped_at = null, last_error = null, flood_until = null, flood_seconds = null,
    updated_at = p_now
  where a.workspace_id = p_workspace_id and a.id = p_account_id
  returning * into v_account;
  if not found then
    return;
  end if;
  for v_task in
    update accounts.queue q
    set status = case when d.is_today then 'pending' else 'failed' end,
      reason = case when not d.is_today then 'flood_expired' end,
      last_error = case when not d.is_today then p_words_expired end,
      started_at = null, updated_at = p_now
    from (
      select f.id, (f.scheduled_time at time zone v_account.timezone)::date
        >= (p_now at time zone v_account.timezone)::date as is_today
      from accounts.queue f
      where f.workspace_id = p_workspace_id and f.account_id = p_account_id and f.status = 'flood_wait'
      for update
    ) d
    where q.workspace_id = p_workspace_id and q.id = d.id
    returning q.*
  loop
    if v_task.status = 'pending' then
      resumed := resumed + 1;
    else
      expired := expired + 1;
      perform accounts.note(p_workspace_id, 'account_failed', p_account_id, v_task,
        accounts.error_of('flood_expired', p_words_expired, 'delivery'), '{}', p_now);
    end if;
  end loop;
  perform accounts.note(p_workspace_id, 'account_reactivated', p_account_id, null, null,
    jsonb_build_object('operator', p_by, 'resumed', resumed, 'expired', expired) || p_meta, p_now);
  return next;
end
$$;
