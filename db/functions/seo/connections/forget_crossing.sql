-- Posts are no longer adapted to a connection that is gone.
create or replace function seo.forget_crossing() returns trigger
language plpgsql as $$
begin
  update seo.platform_schedules s
  set cross_post_connection_ids = array_remove(s.cross_post_connection_ids, old.id)
  where s.workspace_id = old.workspace_id and old.id = any (s.cross_post_connection_ids);
  return null;
end
$$;
