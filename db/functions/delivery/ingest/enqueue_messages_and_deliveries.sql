-- A post in, a delivery out for every channel it concerns. Complete on its own: normalises, stores the message once,
-- routes, suppresses repeats, checks, enqueues, and leaves an event for each decision.
--
-- `p_compiled` maps a channel's profile_key to what the platform's compile made of the post:
-- {"ok": true, "text": "…", "meta": {…}, "template_version": "…"} or {"ok": false, "error": {…}}. A channel whose
-- profile is not in it is checked by the SQL baseline and compiled when it is sent.
--
-- `p_only` names the channels that an earlier request of the same post did not reach: this one goes to nobody else.
create or replace function delivery.enqueue_messages_and_deliveries(
  p_workspace_id uuid,
  p_endpoint_id  uuid,
  p_kind         text,
  p_raw          jsonb,
  p_now          timestamptz default now(),
  p_compiled     jsonb default '{}',
  p_run_id       text default null,
  p_only         uuid[] default null
) returns jsonb
language plpgsql as $$
declare
  v_payload    jsonb := delivery.normalize(delivery.checked_post(p_raw));
  v_tags       text[] := delivery.tags_of(p_raw, v_payload);
  v_version    int := case when jsonb_typeof(p_raw -> 'hash_version') = 'number'
                             and (p_raw ->> 'hash_version') ~ '^[0-9]{1,9}$'
                           then (p_raw ->> 'hash_version')::int else 1 end;
  v_hash       text := delivery.content_hash(v_payload, v_version);
  -- Only for channels that ask for one of its tags, not for those that take everything.
  v_to_all     text[] := case when p_raw -> 'tagged_only' = 'true' then '{}' else array['*'] end;
  v_trace      text := coalesce(nullif(btrim(p_raw ->> 'trace_id'), ''), p_run_id);
  -- The sender's own, or the one that brought it.
  v_run_id     text := coalesce(p_run_id, nullif(btrim(p_raw ->> 'ingest_run_id'), ''));
  v_scheduled  timestamptz := (p_raw ->> 'scheduled_for')::timestamptz;
  v_meta       jsonb := jsonb_strip_nulls(jsonb_build_object(
                          'trace_id', v_trace, 'endpoint_id', p_endpoint_id, 'kind', p_kind, 'run_id', p_run_id,
                          'repeats_refused', case when p_only is not null then true end));
  v_message_id uuid;
  v_first_tags text[];
  v_is_new     boolean;
  v_timezone   text;
  v_keep_rows  boolean;
  v_repeats    uuid[] := '{}';
  v_reasons    text[] := '{}';
  v_earlier    uuid[] := '{}';
  v_counts     jsonb;
  v_ids        text := molva.uuid_batch(p_now);
  v_event_ids  text := molva.uuid_batch(p_now);
begin
  -- The upsert holds the message's row until commit, so the same post sent twice at once is judged one after the other.
  insert into delivery.messages as m (
    workspace_id, message_id, hash_version, content_hash, payload, tags, source, source_ref,
    first_seen_trace_id, first_ingest_run_id, last_seen_at, last_ingest_run_id, created_at)
  values (
    p_workspace_id, molva.uuidv7(p_now), v_version, v_hash, v_payload, v_tags,
    jsonb_strip_nulls(coalesce(p_raw -> 'source', '{}') || jsonb_build_object(
      'kind', p_kind, 'endpoint_id', p_endpoint_id, 'content_hash', p_raw ->> 'content_hash')),
    nullif(btrim(p_raw ->> 'source_ref'), ''), v_trace, v_run_id, p_now, v_run_id, p_now)
  on conflict (workspace_id, hash_version, content_hash) do update
    set last_seen_at = p_now, last_ingest_run_id = v_run_id, seen_count = m.seen_count + 1
  returning m.message_id, m.payload, m.tags, m.xmax = 0 into v_message_id, v_payload, v_first_tags, v_is_new;

  select w.timezone, coalesce((w.settings ->> 'deduped_rows')::boolean, false) into v_timezone, v_keep_rows
  from workspaces.workspaces w where w.workspace_id = p_workspace_id;

  if not v_is_new then
    if v_first_tags <> v_tags then
      insert into workspaces.events (workspace_id, id, message_id, ts, action, result, meta)
      values (p_workspace_id, molva.uuidv7(p_now), v_message_id, p_now, 'message_tag_mismatch', 'ok',
              v_meta || jsonb_build_object('first_seen', v_first_tags, 'now', v_tags));
      v_tags := v_first_tags;
    end if;
    -- Only a message that was seen before can have deliveries. Planned anew each time: a plan kept from when the table
    -- was empty may look through the wrong index when it is large.
    execute 'select coalesce(array_agg(channel_id), ''{}''), coalesce(array_agg(reason), ''{}''), coalesce(array_agg(earlier), ''{}'')
             from delivery.repeats_of($1, $2, $3, $4, $5)'
      into v_repeats, v_reasons, v_earlier
      using p_workspace_id, v_version, v_hash, v_tags, p_now;
  end if;

  -- Taken apart once for all channels of a profile.
  with renderings as materialized (
    select profile_key, (rendering ->> 'ok')::boolean as ok, rendering -> 'error' as error, rendering ->> 'text' as text,
      rendering -> 'meta' as meta, rendering ->> 'template_version' as template_version
    from jsonb_each(p_compiled) as compiled (profile_key, rendering)
  ),
  judged as (
    select c.channel_id, r.reason as repeat_of, r.earlier, x.text, x.meta, x.template_version,
      case
        when r.reason is not null then null
        when x.profile_key is not null then case when not x.ok then x.error end
        else delivery.preflight(c.platform, c.send_mode, v_payload, c.settings)
      end as problem,
      case when v_scheduled is not null then greatest(p_now, v_scheduled)
           when c.window_mode = 'immediate' then p_now
           else delivery.channel_opens_at(c, v_timezone, p_now)
      end as opens_at
    from delivery.channels c
    left join renderings x using (profile_key)
    left join unnest(v_repeats, v_reasons, v_earlier) as r (channel_id, reason, earlier) using (channel_id)
    where c.enabled and c.workspace_id = p_workspace_id
      and c.route_keys && array(select p_workspace_id || ' ' || t from unnest(v_tags || v_to_all) as t)
      and (c.route_any = '{}' or c.route_any && v_tags) and c.route_all <@ v_tags and not c.route_none && v_tags
      and (p_only is null or c.channel_id = any (p_only))
    order by c.channel_id
  ),
  decided as materialized (
    select molva.uuid_at(v_ids, row_number() over ()) as delivery_id, j.channel_id, j.repeat_of, j.earlier, j.text, j.meta, j.template_version,
      j.opens_at,
      coalesce(j.problem, case when j.opens_at is null and j.repeat_of is null then jsonb_build_object(
        'category', 'PERMANENT', 'scope', 'delivery', 'code', 'validation_failed',
        'message', 'the channel''s posting window never opens') end) as problem
    from judged j
  ),
  created as (
    insert into delivery.deliveries (
      workspace_id, delivery_id, message_id, channel_id, hash_version, content_hash, not_before, scheduled_for, status,
      last_error, rendered_text, render_meta, template_version, trace_id, created_at, updated_at)
    select p_workspace_id, d.delivery_id, v_message_id, d.channel_id, v_version, v_hash,
      coalesce(d.opens_at, p_now), v_scheduled,
      case when d.repeat_of is not null then 'deduped' when d.problem is not null then 'failed_permanent' else 'queued' end,
      d.problem,
      coalesce(d.text, nullif(btrim(p_raw ->> 'rendered_text'), ''), v_payload ->> 'text'),
      coalesce(d.meta, '{}'), d.template_version,
      v_trace, p_now, p_now
    from decided d
    where d.repeat_of is null or v_keep_rows
  ),
  noted as (
    insert into workspaces.events (workspace_id, id, delivery_id, message_id, channel_id, ts, action, result, error, meta)
    select p_workspace_id, molva.uuid_at(v_event_ids, row_number() over ()),
      case when d.repeat_of is null or v_keep_rows then d.delivery_id end, v_message_id, d.channel_id, p_now,
      case when d.repeat_of is not null then 'dedup_suppressed'
           when d.problem is not null then 'validation_failed' else 'enqueue' end,
      case when d.problem is null then 'ok' else 'error' end,
      workspaces.redact(d.problem),
      case when d.repeat_of is null then v_meta
           else v_meta || jsonb_build_object('reason', d.repeat_of, 'earlier_delivery_id', d.earlier) end
    from decided d
  )
  select jsonb_build_object(
    'message_id', v_message_id,
    'queued', count(*) filter (where d.repeat_of is null and d.problem is null),
    'deduped', count(*) filter (where d.repeat_of = 'sent_recently'),
    'failed_permanent', count(*) filter (where d.problem is not null),
    'skipped_inflight', count(*) filter (where d.repeat_of = 'inflight'))
  into v_counts
  from decided d;

  if (v_counts ->> 'queued')::int > 0 then
    perform pg_notify('molva_deliveries', p_workspace_id::text);
  end if;
  return v_counts;
end
$$;

-- The post as it was given, or an exception that says what is wrong with it.
create or replace function delivery.checked_post(p_raw jsonb) returns jsonb
language plpgsql immutable parallel safe as $$
declare
  v_fault text := delivery.post_fault(p_raw);
begin
  if v_fault is not null then
    raise exception '%', v_fault using errcode = 'invalid_parameter_value';
  end if;
  return p_raw;
end
$$;
