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

-- The run that a push belongs to: the one that its sender names, unless that name is a source's.
create or replace function delivery.push_run(p_workspace_id uuid, p_raw jsonb, p_run_id text) returns text
language sql stable as $$
  select coalesce((
    select given.id from (select nullif(btrim(p_raw ->> 'ingest_run_id'), '')) as given (id)
    where not exists (
      select from delivery.ingest_runs r
      where r.workspace_id = p_workspace_id and r.run_id = given.id and r.kind <> 'push')), p_run_id)
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
