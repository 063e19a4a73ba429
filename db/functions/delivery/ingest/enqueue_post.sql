-- Stores a normalised post once, and creates a delivery for every channel that it reaches: routes, suppresses repeats,
-- checks, enqueues, and writes an event for each decision. `p_post` is the result of delivery.normal_post and is not checked
-- again; callers with a post as its sender gave it use enqueue_messages_and_deliveries.
--
-- `p_compiled` maps a channel's profile_key to the result of the platform's compile: {"ok": true, "text": "…", "meta": {…},
-- "template_version": "…"} or {"ok": false, "error": {…}}. A channel whose profile is missing is checked by the SQL baseline
-- and compiled when it is sent.
--
-- A post with `channel_ids` goes to these channels or, if one of them must not be named, nowhere. Its repeats are recognised
-- by its sender's reference, never by content. `promise` in it is what enqueue_addressed adds for a product.
--
-- `p_only` names the channels that an earlier request of the same post did not reach: this one goes to no others.
create or replace function delivery.enqueue_post(
  p_workspace_id uuid,
  p_endpoint_id  uuid,
  p_kind         text,
  p_post         jsonb,
  p_compiled     jsonb default '{}',
  p_run_id       text default null,
  p_only         uuid[] default null,
  p_now          timestamptz default now()
) returns jsonb
language plpgsql as $$
declare
  v_post       record;
  v_fault      text;
  v_trace      text;
  v_run_id     text;
  v_meta       jsonb;
  v_message_id uuid;
  v_first_tags text[];
  v_is_new     boolean;
  v_timezone   text;
  v_keep_rows  boolean;
  -- By channel. Looked up instead of joined: a cached plan expects few channels, and would compare each with each.
  v_repeats    jsonb := '{}';
  v_counts     jsonb;
  v_ids        text := molva.uuid_batch(p_now);
  v_event_ids  text := molva.uuid_batch(p_now);
begin
  select * into v_post from jsonb_to_record(p_post) as post (
    payload jsonb, tags text[], tagged_only boolean, hash_version int, hash text, source jsonb, source_ref text, trace_id text,
    ingest_run_id text, scheduled_for timestamptz, rendered_text text, channel_ids uuid[], promise jsonb);
  if v_post.channel_ids is not null then
    v_fault := delivery.address_fault(
      p_workspace_id, v_post.channel_ids, v_post.promise ->> 'product', v_post.promise ->> 'user');
    if v_fault is not null then
      raise exception '%', v_fault using errcode = 'invalid_parameter_value';
    end if;
  end if;
  v_trace := coalesce(v_post.trace_id, p_run_id);
  -- The run that brought it, or the one that its sender names.
  v_run_id := coalesce(p_run_id, v_post.ingest_run_id);
  v_meta := jsonb_strip_nulls(jsonb_build_object(
    'trace_id', v_trace, 'endpoint_id', p_endpoint_id, 'kind', p_kind, 'run_id', p_run_id,
    'repeats_refused', case when p_only is not null then true end));

  -- The upsert locks the message's row until commit, so concurrent requests with the same post are processed one after the
  -- other.
  insert into delivery.messages as m (
    workspace_id, message_id, hash_version, content_hash, payload, tags, source, source_ref,
    first_seen_trace_id, first_ingest_run_id, last_seen_at, last_ingest_run_id, created_at)
  values (
    p_workspace_id, molva.uuidv7(p_now), v_post.hash_version, v_post.hash, v_post.payload, v_post.tags,
    jsonb_strip_nulls(v_post.source || jsonb_build_object('kind', p_kind, 'endpoint_id', p_endpoint_id)),
    v_post.source_ref, v_trace, v_run_id, p_now, v_run_id, p_now)
  on conflict (workspace_id, hash_version, content_hash) do update
    set last_seen_at = p_now, last_ingest_run_id = v_run_id, seen_count = m.seen_count + 1
  returning m.message_id, m.payload, m.tags, m.xmax = 0 into v_message_id, v_post.payload, v_first_tags, v_is_new;

  select w.timezone, coalesce((w.settings ->> 'deduped_rows')::boolean, false) into v_timezone, v_keep_rows
  from workspaces.workspaces w where w.workspace_id = p_workspace_id;

  if not v_is_new then
    if v_first_tags <> v_post.tags then
      insert into workspaces.events (workspace_id, id, message_id, ts, action, result, meta)
      values (p_workspace_id, molva.uuidv7(p_now), v_message_id, p_now, 'message_tag_mismatch', 'ok',
              v_meta || jsonb_build_object('first_seen', v_first_tags, 'now', v_post.tags));
      v_post.tags := v_first_tags;
    end if;
  end if;
  -- Only a message that was seen before can have deliveries. Planned again each time: a plan that was cached when the table
  -- was empty may use the wrong index when it is large.
  if not v_is_new and v_post.channel_ids is null then
    execute 'select coalesce(jsonb_object_agg(r.channel_id, to_jsonb(r)), ''{}'') from delivery.repeats_of($1, $2, $3, $4, $5, $6) r'
      into v_repeats
      using p_workspace_id, v_post.hash_version, v_post.hash, v_post.tags, v_post.tagged_only, p_now;
  end if;

  -- Parsed once for all channels of a profile.
  with renderings as materialized (
    select profile_key, (rendering ->> 'ok')::boolean as ok, rendering -> 'error' as error, rendering ->> 'text' as text,
      rendering -> 'meta' as meta, rendering ->> 'template_version' as template_version
    from jsonb_each(p_compiled) as compiled (profile_key, rendering)
  ),
  judged as (
    select c.channel_id, r.repeat ->> 'reason' as repeat_of, r.repeat ->> 'earlier' as earlier, x.text, x.meta, x.template_version,
      case
        when r.repeat is not null then null
        when c.connection_state = 'error' then delivery.connection_refusal(c.connection_error)
        when x.profile_key is not null then case when not x.ok then x.error end
        else delivery.preflight(c.platform, c.send_mode, v_post.payload, c.settings)
      end as problem,
      case when v_post.scheduled_for is not null then greatest(p_now, v_post.scheduled_for)
           when c.window_mode = 'immediate' then p_now
           else delivery.channel_opens_at(c, v_timezone, p_now)
      end as opens_at
    from delivery.recipients_of(p_workspace_id, v_post.tags, v_post.tagged_only, v_post.channel_ids) c
    left join renderings x using (profile_key)
    cross join lateral (select v_repeats -> c.channel_id::text) as r (repeat)
    where p_only is null or c.channel_id = any (p_only)
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
      last_error, rendered_text, render_meta, template_version, trace_id, addressed, created_at, updated_at)
    select p_workspace_id, d.delivery_id, v_message_id, d.channel_id, v_post.hash_version, v_post.hash,
      coalesce(d.opens_at, p_now), v_post.scheduled_for,
      case when d.repeat_of is not null then 'deduped' when d.problem is not null then 'failed_permanent' else 'queued' end,
      d.problem,
      coalesce(d.text, v_post.rendered_text, v_post.payload ->> 'text'),
      coalesce(d.meta, '{}'), d.template_version,
      v_trace, v_post.channel_ids is not null, p_now, p_now
    from decided d
    where d.repeat_of is null or v_keep_rows
  ),
  promised as (
    insert into delivery.addressed_deliveries (
      workspace_id, delivery_id, channel_id, product, user_id, run, step, task, given, max_attempts, wait_until)
    select p_workspace_id, d.delivery_id, d.channel_id, p.product, p."user", p.run, p.step, p.task, p.given, p.max_attempts,
      p.wait_until
    from decided d
    cross join jsonb_to_record(v_post.promise) as p (
      product text, "user" text, run text, step text, task text, given jsonb, max_attempts int, wait_until timestamptz)
    where v_post.promise is not null
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
