create or replace function delivery.channels_of_group(p_workspace_id uuid, p_rate_group text) returns uuid[]
language sql stable as $$
  select coalesce(array_agg(channel_id), '{}') from delivery.channels
  where workspace_id = p_workspace_id and rate_group = p_rate_group
$$;
