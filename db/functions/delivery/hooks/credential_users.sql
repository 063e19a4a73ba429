-- The channels that use a credential, in words; called before it is deleted, see molva.hooks.
create or replace function delivery.credential_users(p_workspace_id uuid, p_platform text, p_auth_ref text) returns text
language sql stable as $$
  select delivery.channels_in_words(array_agg(coalesce(c.title, c.target_id) order by c.channel_id))
  from delivery.channels c
  left join delivery.channel_auth a using (workspace_id, channel_id)
  where c.workspace_id = p_workspace_id and c.platform = p_platform and coalesce(a.auth_ref, c.auth_ref) = p_auth_ref
$$;
