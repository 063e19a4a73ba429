-- Registers a source together with its endpoint. An existing id is refused by the table's key.
create or replace function delivery.add_pull_source(
  p_workspace_id uuid, p_source_id text, p_kind text, p_config jsonb, p_every_seconds int default 1800,
  p_secret_ref text default null, p_now timestamptz default now()
) returns delivery.pull_sources
language plpgsql as $$
declare
  v_source delivery.pull_sources;
begin
  insert into delivery.pull_sources (
    workspace_id, source_id, kind, config_json, every_seconds, secret_ref, next_run_at, created_at, updated_at)
  values (p_workspace_id, p_source_id, p_kind, p_config, p_every_seconds, p_secret_ref, p_now, p_now, p_now)
  returning * into v_source;
  insert into delivery.workspace_endpoints (workspace_id, endpoint_id, kind, source_id, ingress_rps, created_at, updated_at)
  values (p_workspace_id, molva.uuidv7(p_now), 'pull_source', p_source_id, 0, p_now, p_now);
  perform pg_notify('molva_sources', p_workspace_id::text);
  return v_source;
end
$$;
