-- Creates daily partitions of the audit trail, from yesterday to the given number of days ahead. Rows without a partition go to
-- events_rest, so that a late run of this function never refuses an event. Runs with the rights of the tables' owner: the
-- server may not create tables (molva.admit_application).
create or replace function workspaces.ensure_event_partitions(p_days_ahead int default 7, p_now timestamptz default now())
returns int
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_day  date;
  v_name text;
  v_made int := 0;
begin
  perform pg_advisory_xact_lock(hashtext('workspaces.event_partitions'));
  for v_day in
    select generate_series((p_now at time zone 'UTC')::date - 1, (p_now at time zone 'UTC')::date + p_days_ahead, '1 day')
  loop
    v_name := 'events_' || to_char(v_day, 'YYYYMMDD');
    continue when to_regclass('workspaces.' || v_name) is not null;
    -- Rows of that day that came before their partition are moved into it.
    execute format('create table workspaces.%I (like workspaces.events including defaults including constraints)', v_name);
    execute format(
      'with early as (delete from workspaces.events_rest where ts >= %L and ts < %L returning *)
       insert into workspaces.%I select * from early',
      v_day::timestamp at time zone 'UTC', (v_day + 1)::timestamp at time zone 'UTC', v_name);
    execute format('alter table workspaces.events attach partition workspaces.%I for values from (%L) to (%L)',
      v_name, v_day::timestamp at time zone 'UTC', (v_day + 1)::timestamp at time zone 'UTC');
    execute format('alter table workspaces.%I enable row level security', v_name);
    v_made := v_made + 1;
  end loop;
  return v_made;
end
$$;
