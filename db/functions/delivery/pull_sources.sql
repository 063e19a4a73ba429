-- A source's life: added with its door, changed, leased for a run, and given back with what came of it.

-- Registers a source together with its endpoint. An id that exists is refused by the table's key.
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

-- Changes what is not null. Another address or query is another list: its first run is bounded like any first run.
-- A change ends the pause that failures brought. Another origin asks for the secret again.
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

-- How many more sources of a workspace a process may take. `p_busy` has the workspace of each source in its hands. One place
-- is always left to the others: a workspace whose sources all hang cannot keep the rest waiting.
create or replace function delivery.pull_room(p_workspace_id uuid, p_places int, p_busy uuid[]) returns bigint
language sql immutable as $$
  select least(greatest(p_places - 1, 1) - (select count(*) from unnest(p_busy) as busy where busy = p_workspace_id),
               p_places - cardinality(p_busy))
$$;

-- Sources whose turn has come, each under a lease of its own. The lease's name is the id of the run that it opens.
-- Workspaces take turns: the second source of one comes after the first of every other. `p_in_hand` has the runs that the
-- caller is still busy with, which are not taken again even if their leases have run out.
create or replace function delivery.lease_due_sources(
  p_places int, p_lease interval, p_busy uuid[] default '{}', p_in_hand text[] default '{}',
  p_now timestamptz default now()
) returns setof delivery.pull_sources
language plpgsql as $$
declare
  v_source delivery.pull_sources;
begin
  for v_source in
    with due as (
      select s.workspace_id, s.source_id,
        row_number() over (partition by s.workspace_id order by s.next_run_at, s.source_id) as turn
      from delivery.pull_sources s
      join workspaces.workspaces w using (workspace_id)
      where s.enabled and s.next_run_at <= p_now and coalesce(s.leased_until, '-infinity') <= p_now
        and w.status = 'active' and coalesce(s.leased_by, '') <> all (p_in_hand)
    )
    select s.* from delivery.pull_sources s
    join due using (workspace_id, source_id)
    where turn <= delivery.pull_room(s.workspace_id, p_places, p_busy)
      -- Asked again of the row that is locked: another process may have just given it back.
      and s.enabled and s.next_run_at <= p_now and coalesce(s.leased_until, '-infinity') <= p_now
    order by turn + (select count(*) from unnest(p_busy) as busy where busy = s.workspace_id), s.next_run_at
    limit greatest(p_places - cardinality(p_busy), 0)
    for no key update of s skip locked
  loop
    return next delivery.lease_source(v_source, p_lease, p_now);
  end loop;
end
$$;

-- One source by name, due or not. Nothing while another run holds it.
create or replace function delivery.lease_pull_source(
  p_workspace_id uuid, p_source_id text, p_lease interval, p_now timestamptz default now()
) returns setof delivery.pull_sources
language plpgsql as $$
declare
  v_source delivery.pull_sources;
begin
  for v_source in
    select * from delivery.pull_sources
    where workspace_id = p_workspace_id and source_id = p_source_id
      and enabled and coalesce(leased_until, '-infinity') <= p_now
    for no key update skip locked
  loop
    return next delivery.lease_source(v_source, p_lease, p_now);
  end loop;
end
$$;

create or replace function delivery.lease_source(
  p_source delivery.pull_sources, p_lease interval, p_now timestamptz default now()
) returns delivery.pull_sources
language plpgsql as $$
declare
  v_run_id text := 'ingest-pull-' || molva.uuidv7(p_now);
  v_source delivery.pull_sources;
begin
  -- The process that held an expired lease is gone: its run ends here.
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

create or replace function delivery.endpoint_of_source(p_workspace_id uuid, p_source_id text) returns uuid
language sql stable as $$
  select endpoint_id from delivery.workspace_endpoints
  where workspace_id = p_workspace_id and source_id = p_source_id and enabled
$$;

-- Holds the source until commit and lengthens the lease. False when the lease is another's by now: stop.
create or replace function delivery.keep_source_lease(
  p_workspace_id uuid, p_source_id text, p_run_id text, p_lease interval, p_now timestamptz default now()
) returns boolean
language plpgsql as $$
begin
  update delivery.pull_sources
  set leased_until = greatest(leased_until, p_now + p_lease)
  where workspace_id = p_workspace_id and source_id = p_source_id and leased_by = p_run_id;
  return found;
end
$$;

-- Ends a run and gives the lease back. `p_end`:
--   {"kind": "done", "cursor": {…}, "listed": true, "more": false, "stats": {…}}
--   {"kind": "failed", "error": {"code": …, "message": …}, "retry_after_ms": 1000}
--   {"kind": "interrupted"}, when the process stops: the source stays due.
-- A streak of failures is reported once, by its first.
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

-- When the next source that lease_due_sources would give is due or its lease runs out; null when there is none.
create or replace function delivery.next_pull_at(
  p_places int, p_busy uuid[] default '{}', p_in_hand text[] default '{}'
) returns timestamptz
language sql stable as $$
  select min(greatest(s.next_run_at, coalesce(s.leased_until, s.next_run_at)))
  from delivery.pull_sources s
  join workspaces.workspaces w using (workspace_id)
  where s.enabled and w.status = 'active' and coalesce(s.leased_by, '') <> all (p_in_hand)
    and delivery.pull_room(s.workspace_id, p_places, p_busy) > 0
$$;

create or replace function delivery.move_pull_cursor(
  p_workspace_id uuid, p_source_id text, p_cursor jsonb, p_now timestamptz default now()
) returns void
language sql as $$
  insert into delivery.pull_cursors as c (workspace_id, source_id, cursor_json, updated_at)
  values (p_workspace_id, p_source_id, jsonb_strip_nulls(p_cursor), p_now)
  on conflict (workspace_id, source_id) do update
    set cursor_json = jsonb_strip_nulls(c.cursor_json || p_cursor), updated_at = p_now
$$;
