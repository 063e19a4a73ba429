-- The channels that send with a credential.
create or replace function delivery.channels_of_credential(p_workspace_id uuid, p_platform text, p_auth_ref text) returns uuid[]
language sql stable as $$
  select coalesce(array_agg(c.channel_id), '{}')
  from delivery.channels c
  left join delivery.channel_auth a using (workspace_id, channel_id)
  where c.workspace_id = p_workspace_id and c.platform = p_platform and coalesce(a.auth_ref, c.auth_ref) = p_auth_ref
$$;
