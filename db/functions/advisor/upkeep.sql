-- Deletes expired data. Answers to Free questions are deleted with the session they may belong to.
create or replace function advisor.upkeep(
  p_free_ttl interval, p_pro_ttl interval, p_stale interval, p_keep_ids interval default '7 days', p_now timestamptz default now()
) returns void
language plpgsql as $$
declare
  v_row advisor.request_dedup;
begin
  for v_row in
    select * from advisor.request_dedup d where d.status = 'started' and d.started_at <= p_now - p_stale
  loop
    perform advisor.fail_request(v_row.workspace_id, v_row.request_id, v_row.attempt, 'taken for dead', p_now);
  end loop;
  delete from advisor.sessions s where s.expires_at <= p_now;
  delete from advisor.used_today t where t.window_end_at <= p_now;
  update advisor.request_dedup d set response_json = null
  from advisor.users u
  where u.workspace_id = d.workspace_id and u.id = d.user_id and d.response_json is not null
    and d.finished_at + case u.plan when 'free' then p_free_ttl else p_pro_ttl end <= p_now;
  delete from advisor.request_dedup d where d.created_at <= p_now - p_keep_ids and d.status <> 'started';
  update advisor.media_assets m set deleted_at = p_now
  where (m.expires_at <= p_now or m.user_id is null) and m.deleted_at is null;
end
$$;
