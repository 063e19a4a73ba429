-- The settings of a workspace; unset ones are the table's defaults.
create or replace function billing.settings_of(p_workspace_id uuid) returns billing.settings
language sql stable as $$
  select coalesce(
    (select s from billing.settings s where s.workspace_id = p_workspace_id),
    row(p_workspace_id, 1500, 10, 1, null)::billing.settings)
$$;
