-- How many more sources of a workspace a process may take. `p_busy` has the workspace of each source that it is reading. One
-- place is always left for other workspaces: a workspace whose sources all hang cannot block the rest.
create or replace function delivery.pull_room(p_workspace_id uuid, p_places int, p_busy uuid[]) returns bigint
language sql immutable as $$
  select least(greatest(p_places - 1, 1) - (select count(*) from unnest(p_busy) as busy where busy = p_workspace_id),
               p_places - cardinality(p_busy))
$$;
