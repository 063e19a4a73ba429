-- Processes one item completely: {"source_ref": …, "outcome": "accepted" | "seen" | "dedup_dropped" | "payload_rejected", …}.
create or replace function delivery.ingest_pull_item(
  p_endpoint delivery.workspace_endpoints, p_item jsonb, p_prepared jsonb, p_run_id text,
  p_now timestamptz default now()
) returns jsonb
language plpgsql as $$
declare
  v_post   jsonb := coalesce(p_prepared -> 'post', delivery.normal_post(p_item));
  -- The key under which it is remembered: its own id, shortened if it is very long; its content if it has none.
  v_ref    text := coalesce(delivery.short_ref(p_item ->> 'source_ref'), 'content:' || delivery.receipt_hash(v_post));
  v_fault  jsonb := delivery.pull_item_fault(p_endpoint, p_item, v_post, p_prepared -> 'post' is not null);
  v_counts jsonb;
begin
  insert into delivery.pull_receipts (workspace_id, source_id, source_ref, published_at, received_at, expires_at)
  values (p_endpoint.workspace_id, p_endpoint.source_id, v_ref,
          delivery.time_or_null(p_item ->> 'published_at'), p_now, p_now + interval '3 days')
  on conflict (workspace_id, source_id, source_ref) do nothing;
  if not found then
    return delivery.drop_pull_item(p_endpoint, v_ref, 'dedup_dropped', null, p_run_id, p_now);
  end if;
  if v_fault is not null then
    return delivery.drop_pull_item(p_endpoint, v_ref, 'payload_rejected', v_fault, p_run_id, p_now);
  end if;
  if p_item -> 'seen_only' = 'true' then
    return jsonb_build_object('source_ref', v_ref, 'outcome', 'seen');
  end if;

  begin
    v_counts := delivery.enqueue_post(
      p_endpoint.workspace_id, p_endpoint.endpoint_id, p_endpoint.kind, v_post,
      coalesce(p_prepared -> 'compiled', '{}'), p_run_id, null, p_now);
  exception
    -- An error in the item itself, which a retry would meet again. Any other error fails the chunk.
    when data_exception then
      return delivery.drop_pull_item(p_endpoint, v_ref, 'payload_rejected', to_jsonb(sqlerrm), p_run_id, p_now);
  end;
  update delivery.pull_receipts set message_id = (v_counts ->> 'message_id')::uuid
  where workspace_id = p_endpoint.workspace_id and source_id = p_endpoint.source_id and source_ref = v_ref;
  return jsonb_build_object('source_ref', v_ref, 'outcome', 'accepted') || v_counts;
end
$$;

-- Sources write dates in many ways; one that cannot be read counts as none.
create or replace function delivery.time_or_null(p_text text) returns timestamptz
language plpgsql stable as $$
begin
  return p_text::timestamptz;
exception
  when data_exception then
    return null;
end
$$;

-- Why an item cannot become a post, or null. The size is measured without what the puller added to it.
create or replace function delivery.pull_item_fault(
  p_endpoint delivery.workspace_endpoints, p_item jsonb, p_post jsonb, p_checked boolean
) returns jsonb
language sql stable as $$
  select case
    when p_item ? 'invalid' then p_item -> 'invalid'
    when p_item -> 'seen_only' = 'true' then null
    when p_endpoint.max_payload_bytes > 0 and octet_length(p_item::text) > p_endpoint.max_payload_bytes
      then to_jsonb(format('the item is %s bytes, the endpoint takes %s',
                           octet_length(p_item::text), p_endpoint.max_payload_bytes))
    when p_post #>> '{payload,text}' is null and p_post #>> '{payload,media}' is null
      then to_jsonb('the item has neither text nor media'::text)
    when not p_checked then to_jsonb(delivery.post_fault(p_item))
  end
$$;

create or replace function delivery.drop_pull_item(
  p_endpoint delivery.workspace_endpoints, p_ref text, p_outcome text, p_fault jsonb, p_run_id text,
  p_now timestamptz default now()
) returns jsonb
language sql as $$
  insert into workspaces.events (workspace_id, id, ts, action, result, meta)
  values (p_endpoint.workspace_id, molva.uuidv7(p_now), p_now, 'ingress_' || p_outcome,
          case p_outcome when 'dedup_dropped' then 'ok' else 'error' end,
          jsonb_strip_nulls(jsonb_build_object(
            'source_id', p_endpoint.source_id, 'endpoint_id', p_endpoint.endpoint_id, 'run_id', p_run_id,
            'source_ref', p_ref, 'fault', workspaces.redact(p_fault))));
  select jsonb_strip_nulls(jsonb_build_object('source_ref', p_ref, 'outcome', p_outcome, 'fault', p_fault));
$$;
