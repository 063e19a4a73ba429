-- Ends a run and returns the lease. `p_end`:
--   {"kind": "done", "cursor": {…}, "listed": true, "more": false, "stats": {…}}
--   {"kind": "failed", "error": {"code": …, "message": …}, "retry_after_ms": 1000}
--   {"kind": "interrupted"} if the process stops: the source stays due.
-- Of several failures in a row only the first is reported.
create or replace function delivery.finish_pull(
  p_workspace_id uuid, p_source_id text, p_run_id text, p_end jsonb, p_now timestamptz default now()
) returns boolean
language plpgsql as $$
declare
  c_longest constant interval := interval '1 hour';
  v_kind    text := p_end ->> 'kind';
  v_error   jsonb := workspaces.redact(p_end -> 'error');
  v_source  delivery.pull_sources;
  v_pause   interval;
begin
  select * into v_source from delivery.pull_sources
  where workspace_id = p_workspace_id and source_id = p_source_id and leased_by = p_run_id
  for no key update;
  if not found then
    return false;
  end if;

  if v_kind = 'done' then
    perform delivery.move_pull_cursor(p_workspace_id, p_source_id,
      coalesce(p_end -> 'cursor', '{}') || jsonb_build_object('baseline', true), p_now);
    update delivery.pull_sources
    set failures = 0, last_error = null, last_success_at = p_now,
        listed_at = case when (p_end ->> 'listed')::boolean then p_now else listed_at end,
        next_run_at = case when (p_end ->> 'more')::boolean then p_now
                           else p_now + make_interval(secs => every_seconds) end,
        leased_by = null, leased_until = null
    where workspace_id = p_workspace_id and source_id = p_source_id;
  elsif v_kind = 'failed' then
    v_pause := greatest(
      least(c_longest, make_interval(secs => v_source.every_seconds * 2 ^ least(v_source.failures + 1, 12))),
      make_interval(secs => coalesce((p_end ->> 'retry_after_ms')::double precision, 0) / 1000));
    update delivery.pull_sources
    set failures = failures + 1, last_error = v_error || jsonb_build_object('at', p_now),
        next_run_at = p_now + v_pause, leased_by = null, leased_until = null
    where workspace_id = p_workspace_id and source_id = p_source_id;
    if v_source.failures = 0 then
      insert into workspaces.events (workspace_id, id, ts, action, result, error, meta)
      values (p_workspace_id, molva.uuidv7(p_now), p_now,
        case p_end #>> '{error,code}' when 'ingress_config_error' then 'ingress_config_error' else 'source_failed' end,
        'error', v_error,
        jsonb_build_object('source_id', p_source_id, 'run_id', p_run_id, 'next_run_at', p_now + v_pause));
    end if;
  else
    update delivery.pull_sources set leased_by = null, leased_until = null
    where workspace_id = p_workspace_id and source_id = p_source_id;
  end if;

  update delivery.ingest_runs
  set finished_at = p_now,
      stats_json = stats_json || coalesce(p_end -> 'stats', '{}') || jsonb_strip_nulls(jsonb_build_object(
        'interrupted', case v_kind when 'interrupted' then true end, 'error', v_error))
  where workspace_id = p_workspace_id and run_id = p_run_id;
  return true;
end
$$;
