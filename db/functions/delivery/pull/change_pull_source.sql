-- Changes what is not null. Another address or query is another list: its first run is limited like any first run. A change
-- ends a pause caused by failures. Another origin requires the secret again.
create or replace function delivery.change_pull_source(
  p_workspace_id uuid, p_source_id text, p_config jsonb default null, p_every_seconds int default null,
  p_enabled boolean default null, p_secret_ref text default null, p_now timestamptz default now()
) returns delivery.pull_sources
language plpgsql as $$
declare
  v_before delivery.pull_sources;
  v_source delivery.pull_sources;
begin
  select * into v_before from delivery.pull_sources
  where workspace_id = p_workspace_id and source_id = p_source_id
  for no key update;
  if not found then
    return null;
  end if;
  perform delivery.require_secret_for_new_origin(
    v_before.config_json, coalesce(p_config, v_before.config_json), v_before.secret_ref, p_secret_ref);
  if p_config is not null and (p_config -> 'url', p_config -> 'query')
                              is distinct from (v_before.config_json -> 'url', v_before.config_json -> 'query') then
    delete from delivery.pull_cursors where workspace_id = p_workspace_id and source_id = p_source_id;
  end if;
  update delivery.pull_sources
  set config_json = coalesce(p_config, config_json),
      every_seconds = coalesce(p_every_seconds, every_seconds),
      enabled = coalesce(p_enabled, enabled),
      secret_ref = coalesce(p_secret_ref, secret_ref),
      next_run_at = p_now,
      failures = 0,
      updated_at = p_now
  where workspace_id = p_workspace_id and source_id = p_source_id
  returning * into v_source;
  perform pg_notify('molva_sources', p_workspace_id::text);
  return v_source;
end
$$;
