-- Enqueues items of a source: receipts, posts, counters and the cursor in one transaction, so that a chunk is stored
-- completely or not at all. The caller may be the puller, n8n or a person with psql.
--
-- An item is a push body with `cursor_to` (or `cursor`): a text, or an object that is merged into the cursor. Optional:
--   "published_at"  when the source says it was published
--   "seen_only"     true: remember it and post nothing
--   "invalid"       an error that was found before: the item is dropped
-- `p_prepared` holds for each item, in the same order, {"post": …, "compiled": …}, the results of prepare_post and the
-- platforms' compile, or null: such an item is checked and normalised here, and compiled when it is sent.
create or replace function delivery.ingest_pull_chunk(
  p_workspace_id uuid,
  p_source_id    text,
  p_endpoint_id  uuid,
  p_items        jsonb,
  p_prepared     jsonb default '[]',
  p_run_id       text default null,
  p_now          timestamptz default now()
) returns jsonb
language plpgsql as $$
declare
  v_run_id   text := coalesce(p_run_id, 'ingest-pull-' || molva.uuidv7(p_now));
  v_endpoint delivery.workspace_endpoints;
  v_item     jsonb;
  v_place    bigint;
  v_answer   jsonb;
  v_answers  jsonb := '[]';
  v_cursor   jsonb := '{}';
  v_stats    jsonb := '{}';
begin
  -- Chunks of one source are processed one after the other: the cursor of the later one stays.
  perform from delivery.pull_sources
  where workspace_id = p_workspace_id and source_id = p_source_id and enabled
  for no key update;
  if found then
    -- Sources with the same posts in different order would wait for each other's messages.
    perform pg_advisory_xact_lock(hashtextextended('pull ' || p_workspace_id, 0));
    select * into v_endpoint from delivery.workspace_endpoints
    where workspace_id = p_workspace_id and endpoint_id = p_endpoint_id
      and kind = 'pull_source' and source_id = p_source_id and enabled;
  end if;
  if v_endpoint.endpoint_id is null then
    insert into workspaces.events (workspace_id, id, ts, action, result, meta)
    values (p_workspace_id, molva.uuidv7(p_now), p_now, 'ingress_config_error', 'error',
            jsonb_build_object('source_id', p_source_id, 'endpoint_id', p_endpoint_id, 'run_id', p_run_id));
    return jsonb_build_object('processed', 0, 'accepted', 0, 'dropped', 0, 'skipped', true,
                              'reason', 'ingress_config_error');
  end if;

  for v_item, v_place in
    select item, place from jsonb_array_elements(p_items) with ordinality as items (item, place)
  loop
    -- A microsecond apart, the last one now: what came first is sent first.
    v_answer := delivery.ingest_pull_item(
      v_endpoint, v_item, p_prepared -> (v_place - 1)::int, v_run_id,
      p_now - (jsonb_array_length(p_items) - v_place) * interval '1 microsecond');
    v_answers := v_answers || v_answer;
    v_cursor := v_cursor || delivery.pull_cursor_of(v_item);
  end loop;

  if v_cursor <> '{}' then
    perform delivery.move_pull_cursor(p_workspace_id, p_source_id, v_cursor, p_now);
  end if;
  v_stats := delivery.pull_stats(v_answers);
  perform delivery.add_to_run(v_endpoint, v_run_id, v_stats, p_items, p_run_id is null, p_now);
  return v_stats || jsonb_build_object('run_id', v_run_id, 'cursor_to', v_cursor -> 'cursor_to', 'items', v_answers);
end
$$;

-- The source's cursor after this item, dropped or not.
create or replace function delivery.pull_cursor_of(p_item jsonb) returns jsonb
language sql immutable parallel safe as $$
  select case
    when jsonb_typeof(place) = 'object' then place
    when nullif(btrim(place #>> '{}'), '') is not null then jsonb_build_object('cursor_to', btrim(place #>> '{}'))
    else '{}'
  end
  from (select coalesce(nullif(p_item -> 'cursor_to', '""'), nullif(p_item -> 'cursor', '""'), p_item -> 'source_ref',
                        'null') as place) as item
$$;

create or replace function delivery.pull_stats(p_answers jsonb) returns jsonb
language sql immutable parallel safe as $$
  select jsonb_build_object(
    'processed', count(*),
    'accepted', count(*) filter (where outcome = 'accepted'),
    'dropped', count(*) filter (where outcome in ('dedup_dropped', 'payload_rejected')),
    'seen', count(*) filter (where outcome = 'seen'),
    'dedup_dropped', count(*) filter (where outcome = 'dedup_dropped'),
    'payload_rejected', count(*) filter (where outcome = 'payload_rejected'),
    'queued', coalesce(sum(queued), 0),
    'deduped', coalesce(sum(deduped), 0),
    'failed_permanent', coalesce(sum(failed_permanent), 0),
    'skipped_inflight', coalesce(sum(skipped_inflight), 0))
  from jsonb_to_recordset(p_answers)
    as answer (outcome text, queued int, deduped int, failed_permanent int, skipped_inflight int)
$$;

-- Adds a chunk's counters to its run, which is created if it does not exist.
create or replace function delivery.add_to_run(
  p_endpoint delivery.workspace_endpoints, p_run_id text, p_stats jsonb, p_items jsonb, p_finished boolean,
  p_now timestamptz default now()
) returns void
language sql as $$
  insert into delivery.ingest_runs as r (
    workspace_id, run_id, kind, endpoint_id, source_id, started_at, finished_at, stats_json, trace_ids)
  select p_endpoint.workspace_id, p_run_id, 'pull', p_endpoint.endpoint_id, p_endpoint.source_id,
    p_now, case when p_finished then p_now end, p_stats,
    coalesce(array_agg(distinct item ->> 'trace_id') filter (where item ->> 'trace_id' <> ''), '{}')
  from jsonb_array_elements(p_items) as item
  on conflict (workspace_id, run_id) do update
    set trace_ids = r.trace_ids || excluded.trace_ids,
        stats_json = r.stats_json || (
          select jsonb_object_agg(key, value::bigint + coalesce((r.stats_json ->> key)::bigint, 0))
          from jsonb_each_text(excluded.stats_json))
$$;
