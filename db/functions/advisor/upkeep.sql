-- Deletion by people and by time. Files are deleted by whoever calls: rows of media that must go have `deleted_at`.

-- Everything of one person. Answers how many people that were, nought or one.
create or replace function advisor.forget_user(
  p_workspace_id uuid, p_user_id uuid, p_trace text, p_now timestamptz default now()
) returns int
language plpgsql as $$
declare
  v_count int;
begin
  perform from advisor.users u where u.workspace_id = p_workspace_id and u.id = p_user_id for update;
  insert into advisor.used_today as t (workspace_id, trace, window_start_at, window_end_at, count, cooldown_until)
  select l.workspace_id, p_trace, l.window_start_at, l.window_end_at, l.count, l.cooldown_until
  from advisor.rate_limits l
  where l.workspace_id = p_workspace_id and l.user_id = p_user_id and l.window_end_at > p_now
  on conflict (workspace_id, trace) do update set
    window_start_at = excluded.window_start_at, window_end_at = excluded.window_end_at,
    count = excluded.count, cooldown_until = excluded.cooldown_until;
  update advisor.media_assets m set deleted_at = coalesce(m.deleted_at, p_now), user_id = null, pet_id = null
  where m.workspace_id = p_workspace_id and m.user_id = p_user_id;
  delete from advisor.users u where u.workspace_id = p_workspace_id and u.id = p_user_id;
  get diagnostics v_count = row_count;
  return v_count;
end
$$;

-- Everything about one of a person's pets: the talk goes too, since it may be about it, and so do stored answers.
create or replace function advisor.forget_pet(
  p_workspace_id uuid, p_user_id uuid, p_pet_id uuid, p_now timestamptz default now()
) returns int
language plpgsql as $$
declare
  v_count int;
begin
  perform from advisor.users u where u.workspace_id = p_workspace_id and u.id = p_user_id for update;
  update advisor.media_assets m set deleted_at = coalesce(m.deleted_at, p_now), user_id = null
  where m.workspace_id = p_workspace_id and m.user_id = p_user_id and m.pet_id = p_pet_id;
  delete from advisor.request_dedup d
  where d.workspace_id = p_workspace_id and d.user_id = p_user_id and d.pet_id = p_pet_id;
  delete from advisor.sessions s where s.workspace_id = p_workspace_id and s.user_id = p_user_id;
  delete from advisor.pets p where p.workspace_id = p_workspace_id and p.user_id = p_user_id and p.id = p_pet_id;
  get diagnostics v_count = row_count;
  return v_count;
end
$$;

-- What time has run out for. Answers to Free questions go with the session they could have belonged to.
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
