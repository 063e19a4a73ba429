-- A channel of SEO Master failed, or works again: its connection says the same.
create or replace function seo.follow_channel() returns trigger
language plpgsql as $$
begin
  update seo.platform_connections c set status = new.connection_state
  where c.workspace_id = new.workspace_id and c.channel_id = new.channel_id;
  return null;
end
$$;
