-- Adds the result of a request to its run. Several requests may share one run of their sender; it holds their sum.
create or replace function delivery.add_to_push_run(
  p_workspace_id uuid, p_endpoint_id uuid, p_run_id text, p_stats jsonb, p_now timestamptz default now()
) returns void
language sql as $$
  insert into delivery.ingest_runs as r (workspace_id, run_id, kind, endpoint_id, started_at, finished_at, stats_json)
  values (p_workspace_id, p_run_id, 'push', p_endpoint_id, p_now, p_now, jsonb_strip_nulls(p_stats))
  on conflict (workspace_id, run_id) do update
    set finished_at = greatest(r.finished_at, excluded.finished_at),
        stats_json = r.stats_json || (
          select jsonb_object_agg(n.key, case jsonb_typeof(n.value)
            when 'number' then to_jsonb(n.value::text::numeric + coalesce((r.stats_json ->> n.key)::numeric, 0))
            else n.value end)
          from jsonb_each(excluded.stats_json) as n)
$$;
