-- Recovers tasks whose worker is gone: an attempt is counted, and they are queued again, or end if it was the last. Their
-- accounts are free again. `p_workspace_id` null means every workspace.
create or replace function accounts.recover_stuck(
  p_workspace_id uuid, p_threshold_seconds int, p_max_attempts int, p_words text, p_by text default null,
  p_now timestamptz default now()
) returns setof accounts.queue
language plpgsql as $$
declare
  v_task accounts.queue;
begin
  for v_task in
    update accounts.queue q
    set status = case when q.attempts + 1 >= p_max_attempts then 'failed' else 'pending' end,
      attempts = q.attempts + 1, claim_token = null, reason = 'stuck', last_error = p_words,
      started_at = case when q.attempts + 1 >= p_max_attempts then q.started_at end,
      completed_at = case when q.attempts + 1 >= p_max_attempts then p_now end, updated_at = p_now
    from (
      select s.workspace_id, s.id from accounts.queue s
      where s.status = 'processing' and s.started_at <= p_now - make_interval(secs => p_threshold_seconds)
        and (p_workspace_id is null or s.workspace_id = p_workspace_id)
      order by s.started_at
      for update skip locked
    ) s
    where q.workspace_id = s.workspace_id and q.id = s.id
    returning q.*
  loop
    perform accounts.note(v_task.workspace_id, 'account_stuck', v_task.account_id, v_task,
      accounts.error_of('stuck', p_words, 'delivery'),
      jsonb_strip_nulls(jsonb_build_object('status', v_task.status, 'operator', p_by)), p_now);
    return next v_task;
  end loop;
end
$$;
