-- Sending through an adapter by whoever asks over HTTP: n8n, or anybody else who keeps the queue's rules.

-- A delivery that is being sent under this claim token, with all that its adapter needs; no row when it is not.
create or replace function delivery.delivery_in_hand(
  p_workspace_id uuid, p_delivery_id uuid, p_claim_token text
) returns table (
  workspace_id uuid, delivery_id uuid, claim_token text, channel_id uuid, platform text, target_id text, send_mode text,
  settings jsonb, secret_ref text, unknown_policy text, payload jsonb, rendered_text text, render_meta jsonb, last_error jsonb,
  created_at timestamptz, departs_at timestamptz, gap_ms float8
)
language sql stable as $$
  select d.workspace_id, d.delivery_id, d.claim_token, d.channel_id, c.platform, c.target_id, c.send_mode, c.settings,
    delivery.secret_ref_of(c), c.unknown_policy, m.payload, d.rendered_text, d.render_meta, d.last_error, d.created_at,
    d.sending_started_at, (1000 / nullif(c.rate_rps, 0))::float8
  from delivery.deliveries d
  join delivery.channels c using (workspace_id, channel_id)
  join delivery.messages m using (workspace_id, message_id)
  where d.workspace_id = p_workspace_id and d.delivery_id = p_delivery_id and d.status = 'sending'
    and d.claim_token = p_claim_token
$$;

-- Registers a call before anything is sent. `verdict`:
--   begun       it is the caller's to send;
--   doubtful    the same, but an earlier try may have arrived: look first;
--   ended       it was answered before, `answer` is what was said;
--   running     another request with this key has not ended yet;
--   other_body  the key was used for another post.
create or replace function delivery.begin_adapter_call(
  p_workspace_id uuid, p_call_key text, p_channel_id uuid, p_body_hash text, p_lease interval, p_now timestamptz default now(),
  out verdict text, out answer jsonb, out progress jsonb, out started_at timestamptz
)
language plpgsql as $$
declare
  v_call delivery.adapter_calls;
begin
  insert into delivery.adapter_calls (workspace_id, call_key, channel_id, body_hash, started_at, running_until)
  values (p_workspace_id, p_call_key, p_channel_id, p_body_hash, p_now, p_now + p_lease)
  on conflict (workspace_id, call_key) do nothing;
  if found then
    verdict := 'begun';
    progress := '[]';
    started_at := p_now;
    return;
  end if;

  select * into v_call from delivery.adapter_calls c
  where c.workspace_id = p_workspace_id and c.call_key = p_call_key
  for update;
  progress := v_call.progress;
  started_at := v_call.started_at;
  answer := v_call.answer;
  verdict := case
    when (v_call.channel_id, v_call.body_hash) is distinct from (p_channel_id, p_body_hash) then 'other_body'
    when v_call.answer is null and v_call.running_until > p_now then 'running'
    -- Its process died on the way, or the provider's answer was lost.
    when v_call.answer is null or v_call.answer ->> 'outcome' = 'unknown' then 'doubtful'
    -- It certainly did not happen, and may go better now. A delivery has its next attempt for that.
    when v_call.body_hash is not null and v_call.answer #>> '{error,category}' = 'TRANSIENT' then 'begun'
    else 'ended'
  end;
  -- A delivery's token is good for one call: its next attempt looks first.
  if verdict = 'doubtful' and v_call.body_hash is null then
    verdict := case when v_call.answer is null then 'running' else 'ended' end;
  end if;
  if verdict in ('begun', 'doubtful') then
    update delivery.adapter_calls c set running_until = p_now + p_lease, answer = null
    where c.workspace_id = p_workspace_id and c.call_key = p_call_key;
  end if;
end
$$;

-- One more part of a series was acknowledged.
create or replace function delivery.save_adapter_progress(
  p_workspace_id uuid, p_call_key text, p_index int, p_provider_message_id text
) returns void
language sql as $$
  update delivery.adapter_calls c
  set progress = (
    select jsonb_agg(case when i = p_index then to_jsonb(p_provider_message_id) else coalesce(c.progress -> i, 'null') end order by i)
    from generate_series(0, greatest(p_index, jsonb_array_length(c.progress) - 1)) as i)
  where c.workspace_id = p_workspace_id and c.call_key = p_call_key
$$;

-- The answer to a call, kept for a repeat.
create or replace function delivery.end_adapter_call(p_workspace_id uuid, p_call_key text, p_answer jsonb) returns void
language sql as $$
  update delivery.adapter_calls c set answer = p_answer
  where c.workspace_id = p_workspace_id and c.call_key = p_call_key
$$;

-- What a send without a delivery leaves in the audit trail, and the rest that its provider asked for. `p_meta` holds the
-- idempotency key, the trace and who called.
create or replace function delivery.note_adapter_send(
  p_workspace_id uuid, p_channel_id uuid, p_action text, p_error jsonb, p_payload_ref text, p_meta jsonb,
  p_now timestamptz default now()
) returns void
language sql as $$
  insert into workspaces.events (workspace_id, id, channel_id, ts, action, attempt, result, error, payload_ref, meta)
  values (p_workspace_id, molva.uuidv7(p_now), p_channel_id, p_now, p_action, 0,
    case when p_error is null then 'ok' else 'error' end, workspaces.redact(p_error), p_payload_ref, workspaces.redact(p_meta));
  insert into delivery.platform_limits as g (workspace_id, platform, rate_group, cooldown_until, updated_at)
  select p_workspace_id, c.platform, c.rate_group,
    p_now + coalesce(make_interval(secs => (p_error ->> 'retry_after_ms')::float8 / 1000), interval '30 seconds'), p_now
  from delivery.channels c
  where c.workspace_id = p_workspace_id and c.channel_id = p_channel_id and p_error ->> 'scope' = 'platform'
    and (p_error ->> 'category' = 'PERMANENT' or p_error ->> 'retry_after_ms' is not null)
  on conflict (workspace_id, platform, rate_group) do update
    set cooldown_until = greatest(g.cooldown_until, excluded.cooldown_until), updated_at = p_now
$$;

-- Calls that nobody repeats any more. Uses adapter_calls_by_age.
create or replace function delivery.retention_adapter_calls(
  p_after timestamptz, p_limit int, p_now timestamptz default now(), out removed int, out next timestamptz)
language sql as $$
  with due as materialized (
    select c.workspace_id, c.call_key, c.started_at
    from delivery.adapter_calls c
    where c.started_at >= coalesce(p_after, '-infinity') and c.started_at < p_now - interval '7 days'
    order by c.started_at
    limit p_limit
    for update skip locked
  ),
  gone as (
    delete from delivery.adapter_calls c using due
    where c.workspace_id = due.workspace_id and c.call_key = due.call_key
    returning 1
  )
  select (select count(*) from gone)::int, case when count(*) = p_limit then max(started_at) end from due
$$;

-- Where the token is kept that a channel sends with.
create or replace function delivery.secret_ref_of(p_channel delivery.channels) returns text
language sql stable as $$
  select b.secret_ref
  from (select p_channel.workspace_id, p_channel.channel_id, p_channel.platform, p_channel.auth_ref) c
  left join delivery.channel_auth a using (workspace_id, channel_id)
  join workspaces.credential_bindings b
    on b.workspace_id = c.workspace_id and b.platform = c.platform and b.auth_ref = coalesce(a.auth_ref, c.auth_ref)
$$;
