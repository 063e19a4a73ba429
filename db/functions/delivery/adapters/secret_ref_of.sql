-- The secret_ref of the token with which a channel sends.
create or replace function delivery.secret_ref_of(p_channel delivery.channels) returns text
language sql stable as $$
  select b.secret_ref
  from (select p_channel.workspace_id, p_channel.channel_id, p_channel.platform, p_channel.auth_ref) c
  left join delivery.channel_auth a using (workspace_id, channel_id)
  join workspaces.credential_bindings b
    on b.workspace_id = c.workspace_id and b.platform = c.platform and b.auth_ref = coalesce(a.auth_ref, c.auth_ref)
$$;
