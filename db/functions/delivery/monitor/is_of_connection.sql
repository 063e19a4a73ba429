-- Whether an event is about a connection of a product's user; these do not raise alerts for operators.
create or replace function delivery.is_of_connection(p_event workspaces.events) returns boolean
language sql stable as $$
  select exists (
    select from delivery.channels c
    where c.workspace_id = p_event.workspace_id and c.channel_id = p_event.channel_id and c.addressed_only)
$$;
