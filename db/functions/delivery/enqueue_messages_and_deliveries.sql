-- A post in, a delivery out for every channel it concerns. Complete on its own: normalises, stores the message once,
-- routes, suppresses repeats, checks, enqueues, and leaves an event for each decision.
--
-- `p_compiled` maps a channel's profile_key to what the platform's compile made of the post:
-- {"ok": true, "text": "…", "meta": {…}} or {"ok": false, "error": {…}}. A channel whose profile is not in it is
-- checked by the SQL baseline and compiled when it is sent.
create or replace function delivery.enqueue_messages_and_deliveries(
  p_workspace_id uuid,
  p_endpoint_id  uuid,
  p_kind         text,
  p_raw          jsonb,
  p_now          timestamptz default now(),
  p_compiled     jsonb default '{}',
  p_run_id       text default null
) returns jsonb
language plpgsql as $$
declare
  v_payload  jsonb := delivery.normalize(p_raw);
  v_tags     text[] := delivery.tags_of(p_raw, v_payload);
  v_version  int := case when jsonb_typeof(p_raw -> 'hash_version') = 'number'
                           and (p_raw ->> 'hash_version') ~ '^[0-9]{1,9}$'
                         then (p_raw ->> 'hash_version')::int else 1 end;
  v_hash     text := delivery.content_hash(v_payload, v_version);
  v_trace    text := coalesce(nullif(btrim(p_raw ->> 'trace_id'), ''), p_run_id);
  v_meta     jsonb := jsonb_strip_nulls(jsonb_build_object(
                        'trace_id', v_trace, 'endpoint_id', p_endpoint_id, 'kind', p_kind, 'run_id', p_run_id));
  v_message  delivery.messages;
  v_counts   jsonb;
begin
  -- The upsert holds the message's row until commit, so the same post sent twice at once is judged one after the other.
  insert into delivery.messages as m (
    workspace_id, message_id, hash_version, content_hash, payload, tags, source, source_ref,
    first_seen_trace_id, first_ingest_run_id, last_seen_at, last_ingest_run_id, created_at)
  values (
    p_workspace_id, molva.uuidv7(p_now), v_version, v_hash, v_payload, v_tags,
    jsonb_strip_nulls(coalesce(p_raw -> 'source', '{}') || jsonb_build_object(
      'kind', p_kind, 'endpoint_id', p_endpoint_id, 'content_hash', p_raw ->> 'content_hash')),
    nullif(btrim(p_raw ->> 'source_ref'), ''), v_trace, p_run_id, p_now, p_run_id, p_now)
  on conflict (workspace_id, hash_version, content_hash) do update
    set last_seen_at = p_now, last_ingest_run_id = p_run_id, seen_count = m.seen_count + 1
  returning * into v_message;

  if v_message.tags <> v_tags then
    insert into delivery.events (workspace_id, id, message_id, ts, action, result, meta)
    values (p_workspace_id, molva.uuidv7(p_now), v_message.message_id, p_now, 'message_tag_mismatch', 'ok',
            v_meta || jsonb_build_object('first_seen', v_message.tags, 'now', v_tags));
  end if;

  with judged as (
    select c.channel_id, c.profile_key,
      p_compiled -> c.profile_key as compiled,
      (select d.delivery_id from delivery.deliveries d
       where d.workspace_id = p_workspace_id and d.channel_id = c.channel_id
         and d.hash_version = v_version and d.content_hash = v_hash
         and d.status in ('queued', 'claimed', 'sending', 'retry')
       order by d.created_at desc limit 1) as inflight_id,
      (select d.delivery_id from delivery.deliveries d
       where d.workspace_id = p_workspace_id and d.channel_id = c.channel_id
         and d.hash_version = v_version and d.content_hash = v_hash
         and d.status = 'sent' and d.sent_at is not null
         and d.sent_at >= p_now - make_interval(hours => coalesce(c.dedup_ttl_hours, 168))
       order by d.sent_at desc limit 1) as sent_id,
      case when p_compiled ? c.profile_key
        then case when not (p_compiled #>> array[c.profile_key, 'ok'])::boolean
               then p_compiled #> array[c.profile_key, 'error'] end
        else delivery.preflight(c.platform, c.send_mode, v_message.payload)
      end as problem
    from delivery.channels c
    where c.workspace_id = p_workspace_id and c.enabled
      and delivery.route_matches(c.route_filter, v_message.tags)
    order by c.channel_id
  ),
  created as (
    insert into delivery.deliveries (
      workspace_id, delivery_id, message_id, channel_id, hash_version, content_hash, not_before, status,
      last_error, rendered_text, render_meta, trace_id, created_at, updated_at)
    select p_workspace_id, molva.uuidv7(p_now), v_message.message_id, j.channel_id, v_version, v_hash, p_now,
      case when j.problem is null then 'queued' else 'failed_permanent' end,
      j.problem,
      coalesce(j.compiled ->> 'text', nullif(btrim(p_raw ->> 'rendered_text'), ''), v_message.payload ->> 'text'),
      coalesce(j.compiled -> 'meta', '{}'),
      v_trace, p_now, p_now
    from judged j
    where j.inflight_id is null and j.sent_id is null
    returning delivery_id, channel_id, status, last_error
  ),
  written as (
    insert into delivery.events (workspace_id, id, delivery_id, message_id, channel_id, ts, action, result, error, meta)
    select p_workspace_id, molva.uuidv7(p_now), d.delivery_id, v_message.message_id, d.channel_id, p_now,
      case d.status when 'queued' then 'enqueue' else 'validation_failed' end,
      case d.status when 'queued' then 'ok' else 'error' end,
      d.last_error, v_meta
    from created d
    union all
    select p_workspace_id, molva.uuidv7(p_now), null, v_message.message_id, j.channel_id, p_now,
      'dedup_suppressed', 'ok', null,
      v_meta || jsonb_build_object('reason', case when j.inflight_id is null then 'sent_recently' else 'inflight' end,
                                   'earlier_delivery_id', coalesce(j.inflight_id, j.sent_id))
    from judged j
    where j.inflight_id is not null or j.sent_id is not null
  )
  select jsonb_build_object(
    'message_id', v_message.message_id,
    'queued', (select count(*) from created where status = 'queued'),
    'deduped', (select count(*) from judged where inflight_id is null and sent_id is not null),
    'failed_permanent', (select count(*) from created where status = 'failed_permanent'),
    'skipped_inflight', (select count(*) from judged where inflight_id is not null))
  into v_counts;

  if (v_counts ->> 'queued')::int > 0 then
    perform pg_notify('molva_deliveries', p_workspace_id::text);
  end if;
  return v_counts;
end
$$;
