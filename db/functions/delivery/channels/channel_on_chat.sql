-- Another routed channel of the workspace on the same chat, by its id or by the name with which it was found.
create or replace function delivery.channel_on_chat(
  p_workspace_id uuid, p_platform text, p_target text, p_but_for uuid default null
) returns uuid
language sql stable as $$
  select c.channel_id from delivery.channels c
  where c.workspace_id = p_workspace_id and c.platform = p_platform and c.channel_id is distinct from p_but_for and not c.addressed_only
    and (c.target_id = p_target or c.target_name = p_target)
  order by c.target_id = p_target desc, c.channel_id
  limit 1
$$;
