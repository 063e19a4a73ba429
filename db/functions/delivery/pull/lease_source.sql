create or replace function delivery.lease_source(
  p_source delivery.pull_sources, p_lease interval, p_now timestamptz default now()
) returns delivery.pull_sources
language plpgsql as $$
declare
  v_run_id text := 'ingest-pull-' || molva.uuidv7(p_now);
  v_source delivery.pull_sources;
begin
  -- The process that held an expired lease is dead: its run ends here.
  update delivery.ingest_runs
  set finished_at = p_now, stats_json = stats_json || '{"abandoned": true}'
  where workspace_id = p_source.workspace_id and run_id = p_source.leased_by and finished_at is null;
  update delivery.pull_sources
  set leased_by = v_run_id, leased_until = p_now + p_lease, last_run_at = p_now
  where workspace_id = p_source.workspace_id and source_id = p_source.source_id
  returning * into v_source;
  insert into delivery.ingest_runs (workspace_id, run_id, kind, source_id, endpoint_id, started_at)
  values (v_source.workspace_id, v_run_id, 'pull', v_source.source_id,
          delivery.endpoint_of_source(v_source.workspace_id, v_source.source_id), p_now);
  return v_source;
end
$$;
