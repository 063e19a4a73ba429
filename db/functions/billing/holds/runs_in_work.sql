-- Which of these runs a product still works on, previews or delivers. Each module may have
-- `runs_alive(workspace_id, runs, now) returns setof text`.
create or replace function billing.runs_in_work(
  p_workspace_id uuid, p_runs text[], p_now timestamptz default now()
) returns setof text
language plpgsql stable as $$
declare
  v_hook text;
begin
  for v_hook in select molva.hooks('runs_alive') loop
    return query execute format('select %s($1, $2, $3)', v_hook) using p_workspace_id, p_runs, p_now;
  end loop;
end
$$;
