-- Processes a post that came through an endpoint completely, in one transaction: receipt, enqueue, run. `p_post` is the
-- result of prepare_post, `p_compiled` is as in enqueue_post. `p_payload_ref` says where the raw body is stored, if the
-- endpoint stores bodies: the post's events refer to it.
create or replace function delivery.accept_push(
  p_workspace_id uuid, p_endpoint_id uuid, p_run_id text, p_post jsonb, p_compiled jsonb default '{}',
  p_payload_ref text default null, p_now timestamptz default now()
) returns jsonb
language plpgsql as $$
declare
  v_endpoint delivery.workspace_endpoints;
begin
  select * into strict v_endpoint from delivery.workspace_endpoints
  where workspace_id = p_workspace_id and endpoint_id = p_endpoint_id;
  return delivery.accept_at(v_endpoint, p_endpoint_id, v_endpoint.kind, p_run_id, p_post, p_compiled, p_payload_ref, p_now);
end
$$;

-- The same at a door that is not an endpoint's, if there is no `p_endpoint_id`: it only recognises repeats.
create or replace function delivery.accept_at(
  p_door delivery.workspace_endpoints, p_endpoint_id uuid, p_kind text, p_run_id text, p_post jsonb, p_compiled jsonb,
  p_payload_ref text, p_now timestamptz
) returns jsonb
language plpgsql as $$
declare
  v_workspace_id constant uuid := p_door.workspace_id;
  v_hash     text := delivery.receipt_hash(p_post);
  v_ref      text := p_post ->> 'source_ref';
  v_missed   uuid[];
  v_run_id   text := delivery.push_run(v_workspace_id, p_post ->> 'ingest_run_id', p_run_id);
  v_counts   jsonb;
begin
  -- A repeated request is dropped, unless a channel refused its post: then it is sent to those channels only. A request that
  -- names its channels is recognised by its source_ref alone, never by its content.
  if (v_ref is not null or not p_post ? 'channel_ids') and not delivery.take_receipt(p_door, v_ref, v_hash, p_now) then
    v_missed := delivery.missed_by_receipt(p_door, v_ref, v_hash);
  end if;
  if v_missed = '{}' then
    perform delivery.record_ingress_drop(v_workspace_id, p_endpoint_id, v_run_id, 'dedup_dropped',
      'ingress_dedup_dropped', jsonb_strip_nulls(jsonb_build_object('source_ref', v_ref)),
      p_payload_ref, p_now);
    return jsonb_build_object('ok', true, 'dropped', true, 'reason', 'ingress_dedup_dropped', 'run_id', v_run_id);
  end if;

  v_counts := delivery.enqueue_post(
    v_workspace_id, p_endpoint_id, p_kind, p_post, p_compiled, v_run_id, v_missed, p_now);
  perform delivery.add_to_push_run(v_workspace_id, p_endpoint_id, v_run_id, (v_counts - 'message_id')
    || jsonb_build_object('processed', 1, 'accepted', 1, 'dropped', 0, 'trace_id', p_post ->> 'trace_id',
                          'payload_ref', p_payload_ref), p_now);
  if p_payload_ref is not null then
    -- Uses events_by_message: the few events of this run.
    update workspaces.events set payload_ref = p_payload_ref
    where workspace_id = v_workspace_id and message_id = (v_counts ->> 'message_id')::uuid and ts = p_now
      and meta ->> 'run_id' = v_run_id;
  end if;
  if v_missed is null and not p_post ? 'channel_ids' and v_counts @> '{"queued": 0, "deduped": 0, "failed_permanent": 0, "skipped_inflight": 0}' then
    v_counts := v_counts || jsonb_build_object('unrouted', delivery.unrouted(
      v_workspace_id, array(select jsonb_array_elements_text(p_post -> 'tags')), (p_post -> 'tagged_only')::boolean));
  end if;
  return jsonb_build_object('ok', true, 'run_id', v_run_id) || v_counts;
end
$$;

-- The run of a push: the one that its sender names, unless that name belongs to a source.
create or replace function delivery.push_run(p_workspace_id uuid, p_given text, p_run_id text) returns text
language sql stable as $$
  select case
    when p_given is null or exists (
      select from delivery.ingest_runs r
      where r.workspace_id = p_workspace_id and r.run_id = p_given and r.kind <> 'push') then p_run_id
    else p_given end
$$;

-- The enabled channels that an earlier request of a post did not reach: they refused it, or its attempts were used up. Not
-- those where it was cancelled by an operator, became too old or may have arrived. Uses deliveries_by_message.
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

-- The channels that a repeated request still has to reach. The receipt stays locked, so that concurrent repeats are processed
-- one after the other; if the sender has corrected the post under the same source_ref, the receipt gets the new content.
create or replace function delivery.missed_by_receipt(
  p_endpoint delivery.workspace_endpoints, p_source_ref text, p_payload_hash text
) returns uuid[]
language plpgsql as $$
declare
  v_address constant uuid := coalesce(p_endpoint.first_id, p_endpoint.endpoint_id);
  v_hash   text := p_payload_hash;
  v_missed uuid[];
begin
  if p_source_ref is not null then
    select r.payload_hash into v_hash from delivery.ingress_receipts r
    where r.workspace_id = p_endpoint.workspace_id and r.endpoint_id = v_address and r.source_ref = p_source_ref
    for update;
  end if;
  select delivery.missed_channels(m.workspace_id, m.message_id) into v_missed
  from delivery.messages m
  where m.workspace_id = p_endpoint.workspace_id and m.hash_version = 1 and m.content_hash = v_hash;
  if v_missed <> '{}' and v_hash <> p_payload_hash then
    update delivery.ingress_receipts r set payload_hash = p_payload_hash
    where r.workspace_id = p_endpoint.workspace_id and r.endpoint_id = v_address and r.source_ref = p_source_ref;
  end if;
  return coalesce(v_missed, '{}');
end
$$;
