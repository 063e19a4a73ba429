create or replace function delivery.move_pull_cursor(
  p_workspace_id uuid, p_source_id text, p_cursor jsonb, p_now timestamptz default now()
) returns void
language sql as $$
  insert into delivery.pull_cursors as c (workspace_id, source_id, cursor_json, updated_at)
  values (p_workspace_id, p_source_id, jsonb_strip_nulls(p_cursor), p_now)
  on conflict (workspace_id, source_id) do update
    set cursor_json = jsonb_strip_nulls(c.cursor_json || p_cursor), updated_at = p_now
$$;
