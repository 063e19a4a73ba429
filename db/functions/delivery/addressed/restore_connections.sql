-- A credential got a new token: the failed connections that use it take posts again. Uses channels_failed_connections.
create or replace function delivery.restore_connections() returns trigger
language plpgsql as $$
begin
  perform delivery.connection_works(f.workspace_id, f.channel_id, 'credential', new.updated_at)
  from (
    select c.workspace_id, c.channel_id
    from delivery.channels c
    left join delivery.channel_auth a using (workspace_id, channel_id)
    where c.workspace_id = new.workspace_id and c.platform = new.platform and c.connection_state = 'error'
      and coalesce(a.auth_ref, c.auth_ref) = new.auth_ref
    order by c.channel_id
    for no key update of c
  ) f;
  return null;
end
$$;
