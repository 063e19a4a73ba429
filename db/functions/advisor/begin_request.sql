-- A request is answered once: its row is committed as `started` before the model is asked.
--
-- Begins a request. `p_wants` is null for requests that cost nothing. Returns one of
--   {begun: attempt, user_id, plan, locale}
--   {repeated: stored answer}
--   {refused, quota}       request_in_progress (with retry_after_sec), request_id_conflict, answer_expired, or as advisor.take_quota
-- A refused request is not stored: the same id may come again. A client that lost its id and sends the same message under another
-- one is recognised by `p_client_message_id`: it gets the stored answer, or is told that it is being made.
create or replace function advisor.begin_request(
  p_workspace_id uuid, p_request_id uuid, p_route text, p_payload_hash text, p_telegram_user_id bigint, p_trace text,
  p_locale text, p_pet_id uuid, p_wants jsonb, p_plans jsonb, p_stale interval, p_client_message_id text default null,
  p_now timestamptz default now()
) returns jsonb
language plpgsql as $$
declare
  v_user  advisor.users := advisor.lock_user(p_workspace_id, p_telegram_user_id, p_locale, p_now);
  v_row   advisor.request_dedup;
  v_taken jsonb := '{}';
begin
  if exists (select from advisor.used_today t where t.workspace_id = p_workspace_id and t.trace = p_trace) then
    perform advisor.recall_use(p_workspace_id, v_user.id, p_trace, p_now);
  end if;
  select * into v_row from advisor.request_dedup d
  where d.workspace_id = p_workspace_id and d.request_id = p_request_id for update;
  if found then
    if v_row.user_id <> v_user.id or v_row.route <> p_route or v_row.payload_hash <> p_payload_hash then
      return jsonb_build_object('refused', 'request_id_conflict');
    elsif v_row.status = 'done' and v_row.response_json is null then
      return jsonb_build_object('refused', 'answer_expired');
    elsif v_row.status = 'done' then
      return jsonb_build_object('repeated', v_row.response_json);
    elsif v_row.status = 'started' and v_row.started_at + p_stale > p_now then
      return jsonb_build_object('refused', 'request_in_progress',
        'retry_after_sec', ceil(extract(epoch from v_row.started_at + p_stale - p_now))::int);
    elsif v_row.status = 'started' then
      perform advisor.give_back(p_workspace_id, v_user.id, v_row.held);
      update advisor.request_dedup d set status = 'failed', held = '{}', error_text = 'taken for dead', finished_at = p_now
      where d.workspace_id = p_workspace_id and d.request_id = p_request_id;
      select * into v_user from advisor.users u where u.workspace_id = p_workspace_id and u.id = v_user.id;
    end if;
  end if;
  if not found and p_client_message_id is not null then
    select * into v_row from advisor.request_dedup d
    where d.workspace_id = p_workspace_id and d.user_id = v_user.id and d.client_message_id = p_client_message_id
      and d.route = p_route and d.payload_hash = p_payload_hash
      and (d.status = 'done' and d.response_json is not null or d.status = 'started' and d.started_at + p_stale > p_now)
    order by d.created_at desc limit 1;
    if found and v_row.status = 'done' then
      return jsonb_build_object('repeated', v_row.response_json);
    elsif found then
      return jsonb_build_object('refused', 'request_in_progress',
        'retry_after_sec', ceil(extract(epoch from v_row.started_at + p_stale - p_now))::int);
    end if;
  end if;
  if p_wants is not null then
    v_taken := advisor.take_quota(v_user, p_plans, p_wants, p_now);
    if v_taken ? 'refused' then
      return v_taken;
    end if;
  end if;
  insert into advisor.request_dedup as d (workspace_id, request_id, user_id, route, payload_hash, client_message_id, pet_id, status,
    held, created_at, started_at)
  values (p_workspace_id, p_request_id, v_user.id, p_route, p_payload_hash, p_client_message_id, p_pet_id, 'started',
    coalesce(v_taken -> 'held', '{}'), p_now, p_now)
  on conflict (workspace_id, request_id) do update set
    status = 'started', attempt = d.attempt + 1, held = excluded.held, error_text = null, started_at = p_now, finished_at = null
  where d.status = 'failed' and d.user_id = excluded.user_id
  returning * into v_row;
  if not found then
    -- Another request of the same id began between our check and our write.
    perform advisor.give_back(p_workspace_id, v_user.id, coalesce(v_taken -> 'held', '{}'));
    return jsonb_build_object('refused', 'request_id_conflict');
  end if;
  return jsonb_build_object('begun', v_row.attempt, 'user_id', v_user.id, 'plan', v_user.plan, 'locale', v_user.locale);
end
$$;

-- A person who deleted their data and returns on the same day gets no new quota.
create or replace function advisor.recall_use(
  p_workspace_id uuid, p_user_id uuid, p_trace text, p_now timestamptz default now()
) returns void
language sql as $$
  with recalled as (
    delete from advisor.used_today t where t.workspace_id = p_workspace_id and t.trace = p_trace returning *
  )
  insert into advisor.rate_limits (workspace_id, user_id, window_start_at, window_end_at, count, last_request_at, cooldown_until)
  select r.workspace_id, p_user_id, r.window_start_at, r.window_end_at, r.count, p_now, r.cooldown_until
  from recalled r where r.window_end_at > p_now
  on conflict (workspace_id, user_id) do nothing
$$;
