-- Raw payloads in object storage: where each lies, who read it, and when it goes.

-- Notes a payload before it is stored: an object without a row would never be deleted, a row without an object is.
create or replace function delivery.payload_note(
  p_workspace_id uuid, p_kind text, p_size_bytes bigint, p_sha256 text, p_now timestamptz default now()
) returns table (payload_ref uuid, storage_key text)
language sql as $$
  insert into delivery.payloads (workspace_id, payload_ref, storage_key, kind, size_bytes, sha256, created_at, expires_at)
  select p_workspace_id, made.ref,
    format('payloads/%s/%s/%s', p_workspace_id, to_char(p_now at time zone 'UTC', 'YYYY-MM-DD'), made.ref),
    p_kind, p_size_bytes, p_sha256, p_now, p_now + make_interval(days => r.payloads_days)
  from workspaces.workspaces w, delivery.retention_of(w.settings) r, molva.uuidv7(p_now) as made (ref)
  where w.workspace_id = p_workspace_id
  returning payload_ref, storage_key
$$;

-- Where a payload lies, told only together with an event that says who asked, how and why. Nothing for another
-- workspace's payload or one whose time is over.
create or replace function delivery.payload_open(
  p_workspace_id uuid, p_payload_ref uuid, p_caller jsonb, p_reason text, p_via text, p_now timestamptz default now()
) returns table (storage_key text, sha256 text)
language plpgsql as $$
#variable_conflict use_column
begin
  if length(btrim(p_reason)) < 5 or p_reason is null then
    raise exception 'a raw payload is read for a reason of at least 5 characters' using errcode = 'check_violation';
  end if;
  return query
  with opened as (
    select p.storage_key, p.sha256, p.kind from delivery.payloads p
    where p.workspace_id = p_workspace_id and p.payload_ref = p_payload_ref and p.expires_at > p_now
  ),
  noted as (
    insert into workspaces.events (workspace_id, id, ts, action, result, payload_ref, meta)
    select p_workspace_id, molva.uuidv7(p_now), p_now, 'payload_read', 'ok', p_payload_ref::text,
      jsonb_build_object('caller', p_caller, 'reason', workspaces.redact_text(btrim(p_reason)), 'via', p_via, 'kind', o.kind)
    from opened o
    returning 1
  )
  select o.storage_key, o.sha256 from opened o, noted;
end
$$;

-- Payloads whose time is over, in the order of payloads_expiry.
create or replace function delivery.payload_due(
  p_after_expiry timestamptz, p_after_ref uuid, p_limit int, p_now timestamptz default now()
) returns table (workspace_id uuid, payload_ref uuid, storage_key text, expires_at timestamptz)
language sql stable as $$
  select p.workspace_id, p.payload_ref, p.storage_key, p.expires_at
  from delivery.payloads p
  where p.expires_at <= p_now
    and (p_after_ref is null or (p.expires_at, p.payload_ref) > (p_after_expiry, p_after_ref))
  order by p.expires_at, p.payload_ref
  limit p_limit
$$;
