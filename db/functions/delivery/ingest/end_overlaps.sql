-- Disables old secrets whose overlap has ended, of one workspace or of all, and forgets what signed with them, those of webhooks
-- too. They are used for nothing from their time on, whether this has run or not. Returns how many endpoints it concerned.
create or replace function delivery.end_overlaps(p_workspace_id uuid default null, p_now timestamptz default now()) returns int
language plpgsql as $$
declare
  v_ended     int;
  v_forgotten int;
begin
  update delivery.workspace_endpoints e set enabled = false, updated_at = p_now
  where e.enabled and e.replaced_by is not null and e.ends_at <= p_now
    and (p_workspace_id is null or e.workspace_id = p_workspace_id);
  get diagnostics v_ended = row_count;
  perform delivery.forget_old_signing(e.workspace_id, e.endpoint_id)
  from delivery.workspace_endpoints e
  where e.replaced_by is not null and not e.enabled and e.signing_ref is not null
    and (p_workspace_id is null or e.workspace_id = p_workspace_id);
  with ended as (
    update delivery.webhooks w set previous_secret_ref = null, previous_ends_at = null
    from delivery.webhooks b
    where b.workspace_id = w.workspace_id and b.webhook_id = w.webhook_id and b.previous_ends_at <= p_now
      and (p_workspace_id is null or w.workspace_id = p_workspace_id)
    returning b.workspace_id, b.previous_secret_ref
  )
  select count(workspaces.forget_secret(e.workspace_id, e.previous_secret_ref)) into v_forgotten from ended e;
  return v_ended;
end
$$;

create or replace function delivery.forget_old_signing(p_workspace_id uuid, p_endpoint_id uuid) returns void
language plpgsql as $$
declare
  v_ref text;
begin
  select e.signing_ref into v_ref from delivery.workspace_endpoints e
  where e.workspace_id = p_workspace_id and e.endpoint_id = p_endpoint_id for no key update;
  update delivery.workspace_endpoints e set signing_ref = null
  where e.workspace_id = p_workspace_id and e.endpoint_id = p_endpoint_id;
  perform workspaces.forget_secret(p_workspace_id, v_ref);
end
$$;
