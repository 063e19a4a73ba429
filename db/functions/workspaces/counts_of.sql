-- Counts of a workspace by name. Each module may define `workspace_counts(workspace_id) returns jsonb`.
create or replace function workspaces.counts_of(p_workspace_id uuid) returns jsonb
language plpgsql stable as $$
declare
  v_hook   text;
  v_counts jsonb;
  v_all    jsonb := '{}';
begin
  for v_hook in select molva.hooks('workspace_counts') loop
    execute format('select %s($1)', v_hook) into v_counts using p_workspace_id;
    v_all := v_all || v_counts;
  end loop;
  return v_all;
end
$$;
