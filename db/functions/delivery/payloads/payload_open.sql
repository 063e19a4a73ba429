-- Where a payload is stored, returned only together with writing an event, and an entry of the audit, that say who asked, how and
-- why. No row for another workspace's payload or an expired one.
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
    returning meta
  ),
  audited as (
    -- Who calls this function without Molva's server has a kind of their own.
    select audit.note(p_workspace_id, case when p_caller ->> 'kind' in ('operator', 'token', 'command') then p_caller ->> 'kind'
      else 'system' end, p_caller ->> 'id', 'payload_read', 'payload',
      p_payload_ref::text, 'ok', null, n.meta, p_now) from noted n
  )
  select o.storage_key, o.sha256 from opened o, audited;
end
$$;
