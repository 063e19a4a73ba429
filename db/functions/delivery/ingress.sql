-- The guards in front of ingest: secret → size → rate → receipt. A refusal leaves a run, an event, and no message.

create or replace function delivery.find_endpoint(p_kind text, p_secret_hash text)
returns delivery.workspace_endpoints
language sql stable as $$
  select e from delivery.workspace_endpoints e
  join workspaces.workspaces w using (workspace_id)
  where e.kind = p_kind and e.secret_hash = p_secret_hash and e.enabled and w.status <> 'disabled'
$$;

-- One token of the endpoint's bucket. Answers how long to wait, zero when the request may pass.
create or replace function delivery.take_ingress_token(
  p_workspace_id uuid, p_endpoint_id uuid, p_now timestamptz default now()
) returns interval
language plpgsql as $$
declare
  v_rps    double precision;
  v_burst  double precision;
  v_tokens double precision;
begin
  select ingress_rps into v_rps from delivery.workspace_endpoints
  where workspace_id = p_workspace_id and endpoint_id = p_endpoint_id;
  if coalesce(v_rps, 0) = 0 then
    return interval '0';
  end if;
  v_burst := greatest(1, v_rps);
  insert into delivery.ingress_buckets (workspace_id, endpoint_id, tokens, refilled_at)
  values (p_workspace_id, p_endpoint_id, v_burst, p_now)
  on conflict (workspace_id, endpoint_id) do nothing;
  select least(v_burst, tokens + greatest(0, extract(epoch from p_now - refilled_at)) * v_rps) into v_tokens
  from delivery.ingress_buckets
  where workspace_id = p_workspace_id and endpoint_id = p_endpoint_id
  for update;
  update delivery.ingress_buckets
  set tokens = case when v_tokens >= 1 then v_tokens - 1 else v_tokens end,
      refilled_at = greatest(refilled_at, p_now)
  where workspace_id = p_workspace_id and endpoint_id = p_endpoint_id;
  return case when v_tokens >= 1 then interval '0' else make_interval(secs => (1 - v_tokens) / v_rps) end;
end
$$;

-- Writes what became of a request to its run. Several requests may be one run of their sender's, which has their sum.
create or replace function delivery.add_to_push_run(
  p_workspace_id uuid, p_endpoint_id uuid, p_run_id text, p_stats jsonb, p_now timestamptz default now()
) returns void
language sql as $$
  insert into delivery.ingest_runs as r (workspace_id, run_id, kind, endpoint_id, started_at, finished_at, stats_json)
  values (p_workspace_id, p_run_id, 'push', p_endpoint_id, p_now, p_now, jsonb_strip_nulls(p_stats))
  on conflict (workspace_id, run_id) do update
    set finished_at = greatest(r.finished_at, excluded.finished_at),
        stats_json = r.stats_json || (
          select jsonb_object_agg(n.key, case jsonb_typeof(n.value)
            when 'number' then to_jsonb(n.value::text::numeric + coalesce((r.stats_json ->> n.key)::numeric, 0))
            else n.value end)
          from jsonb_each(excluded.stats_json) as n)
$$;

-- The run that a push belongs to: the one that its sender names, unless that name is a source's.
create or replace function delivery.push_run(p_workspace_id uuid, p_raw jsonb, p_run_id text) returns text
language sql stable as $$
  select coalesce((
    select given.id from (select nullif(btrim(p_raw ->> 'ingest_run_id'), '')) as given (id)
    where not exists (
      select from delivery.ingest_runs r
      where r.workspace_id = p_workspace_id and r.run_id = given.id and r.kind <> 'push')), p_run_id)
$$;

-- Records a request that was refused before it became a post: too large, too fast, a repeat, or malformed.
-- `p_payload_ref` is where its body is kept, if it is. A repeat is what senders are asked to do, so it is no error.
create or replace function delivery.record_ingress_drop(
  p_workspace_id uuid, p_endpoint_id uuid, p_run_id text, p_counter text, p_action text, p_meta jsonb,
  p_payload_ref text default null, p_now timestamptz default now()
) returns void
language sql as $$
  select delivery.add_to_push_run(p_workspace_id, p_endpoint_id, p_run_id, jsonb_build_object(
    'processed', 1, 'accepted', 0, 'dropped', 1, p_counter, 1, 'payload_ref', p_payload_ref), p_now);
  insert into workspaces.events (workspace_id, id, ts, action, result, payload_ref, meta)
  select p_workspace_id, molva.uuidv7(p_now), p_now, p_action,
         case p_action when 'ingress_dedup_dropped' then 'ok' else 'error' end, p_payload_ref,
         workspaces.redact(p_meta) || jsonb_build_object('endpoint_id', p_endpoint_id, 'run_id', p_run_id)
  where p_action is not null;
$$;

-- Notes that this request came. False when it came before: the same source_ref ever (while the receipt lives),
-- or, without one, the same content within the endpoint's window.
create or replace function delivery.take_receipt(
  p_endpoint delivery.workspace_endpoints, p_source_ref text, p_payload_hash text, p_now timestamptz default now()
) returns boolean
language plpgsql as $$
begin
  if p_source_ref is null then
    -- Two equal requests at once are judged one after the other.
    perform pg_advisory_xact_lock(hashtextextended(p_endpoint.endpoint_id::text || p_payload_hash, 0));
    if exists (
      select from delivery.ingress_receipts
      where workspace_id = p_endpoint.workspace_id and endpoint_id = p_endpoint.endpoint_id
        and payload_hash = p_payload_hash
        and received_at > p_now - make_interval(secs => p_endpoint.hash_drop_window_sec)
    ) then
      return false;
    end if;
  end if;
  insert into delivery.ingress_receipts (
    workspace_id, endpoint_id, endpoint_kind, source_ref, payload_hash, received_at, expires_at)
  values (
    p_endpoint.workspace_id, p_endpoint.endpoint_id, p_endpoint.kind, p_source_ref, p_payload_hash, p_now,
    p_now + interval '3 days')
  on conflict (workspace_id, endpoint_id, source_ref) where source_ref is not null do nothing;
  return found;
end
$$;

-- The channels that an earlier request of a post was for and did not reach, as far as they are switched on: they refused it, or
-- its attempts were used up. What an operator called off, what grew too old and what may have arrived is none of them.
-- By deliveries_by_message.
create or replace function delivery.missed_channels(p_workspace_id uuid, p_message_id uuid) returns uuid[]
language sql stable as $$
  select coalesce(array_agg(distinct d.channel_id), '{}')
  from delivery.deliveries d
  join delivery.channels c using (workspace_id, channel_id)
  where d.workspace_id = p_workspace_id and d.message_id = p_message_id and c.enabled
    and (d.status in ('failed_permanent', 'dead')) is true
    and coalesce(d.last_error ->> 'code', '') not in ('cancelled', 'stale_dropped', 'outcome_unknown')
    and not exists (
      select from delivery.deliveries o
      where o.workspace_id = p_workspace_id and o.message_id = p_message_id and o.channel_id = d.channel_id
        and (o.status in ('queued', 'claimed', 'sending', 'retry') or o.sent_at >= d.created_at))
$$;

-- Which channels a request that came before is still for. The receipt stays locked, so that two repeats at once are judged one
-- after the other; a sender who has put the post right under the same source_ref is known by the new text from now on.
create or replace function delivery.missed_by_receipt(
  p_endpoint delivery.workspace_endpoints, p_source_ref text, p_payload_hash text
) returns uuid[]
language plpgsql as $$
declare
  v_hash   text := p_payload_hash;
  v_missed uuid[];
begin
  if p_source_ref is not null then
    select r.payload_hash into v_hash from delivery.ingress_receipts r
    where r.workspace_id = p_endpoint.workspace_id and r.endpoint_id = p_endpoint.endpoint_id and r.source_ref = p_source_ref
    for update;
  end if;
  select delivery.missed_channels(m.workspace_id, m.message_id) into v_missed
  from delivery.messages m
  where m.workspace_id = p_endpoint.workspace_id and m.hash_version = 1 and m.content_hash = v_hash;
  if v_missed <> '{}' and v_hash <> p_payload_hash then
    update delivery.ingress_receipts r set payload_hash = p_payload_hash
    where r.workspace_id = p_endpoint.workspace_id and r.endpoint_id = p_endpoint.endpoint_id and r.source_ref = p_source_ref;
  end if;
  return coalesce(v_missed, '{}');
end
$$;

-- A validated push body to its end, in one transaction: receipt, enqueue, run. `p_payload_ref` is where the body is kept
-- as it came, if the endpoint keeps bodies: the post's events lead to it.
create or replace function delivery.accept_push(
  p_workspace_id uuid, p_endpoint_id uuid, p_run_id text, p_raw jsonb, p_compiled jsonb default '{}',
  p_payload_ref text default null, p_now timestamptz default now()
) returns jsonb
language plpgsql as $$
declare
  v_endpoint delivery.workspace_endpoints;
  v_hash     text := delivery.content_hash(delivery.normalize(p_raw));
  v_ref      text := nullif(btrim(p_raw ->> 'source_ref'), '');
  v_missed   uuid[];
  v_run_id   text := delivery.push_run(p_workspace_id, p_raw, p_run_id);
  v_counts   jsonb;
begin
  select * into strict v_endpoint from delivery.workspace_endpoints
  where workspace_id = p_workspace_id and endpoint_id = p_endpoint_id;

  -- A request that came before is dropped, unless a channel refused its post: then it is for those channels only.
  if not delivery.take_receipt(v_endpoint, v_ref, v_hash, p_now) then
    v_missed := delivery.missed_by_receipt(v_endpoint, v_ref, v_hash);
  end if;
  if v_missed = '{}' then
    perform delivery.record_ingress_drop(p_workspace_id, p_endpoint_id, v_run_id, 'dedup_dropped',
      'ingress_dedup_dropped', jsonb_strip_nulls(jsonb_build_object('source_ref', p_raw ->> 'source_ref')),
      p_payload_ref, p_now);
    return jsonb_build_object('ok', true, 'dropped', true, 'reason', 'ingress_dedup_dropped', 'run_id', v_run_id);
  end if;

  v_counts := delivery.enqueue_messages_and_deliveries(
    p_workspace_id, p_endpoint_id, v_endpoint.kind, p_raw, p_now, p_compiled, v_run_id, v_missed);
  perform delivery.add_to_push_run(p_workspace_id, p_endpoint_id, v_run_id, (v_counts - 'message_id')
    || jsonb_build_object('processed', 1, 'accepted', 1, 'dropped', 0, 'trace_id', p_raw ->> 'trace_id',
                          'payload_ref', p_payload_ref), p_now);
  if p_payload_ref is not null then
    -- By events_by_message: the few events of this run.
    update workspaces.events set payload_ref = p_payload_ref
    where workspace_id = p_workspace_id and message_id = (v_counts ->> 'message_id')::uuid and ts = p_now
      and meta ->> 'run_id' = v_run_id;
  end if;
  if v_missed is null and v_counts @> '{"queued": 0, "deduped": 0, "failed_permanent": 0, "skipped_inflight": 0}' then
    v_counts := v_counts || jsonb_build_object('unrouted', delivery.unrouted(
      p_workspace_id, delivery.tags_of(p_raw, delivery.normalize(p_raw)), coalesce(p_raw -> 'tagged_only' = 'true', false)));
  end if;
  return jsonb_build_object('ok', true, 'run_id', v_run_id) || v_counts;
end
$$;
