-- What a deleted workspace leaves in object storage is due for deletion at once.
create or replace function delivery.retention_end_workspace() returns trigger
language plpgsql as $$
begin
  update delivery.payloads set expires_at = '-infinity' where workspace_id = old.workspace_id;
  update delivery.media_origin set last_seen_at = '-infinity' where workspace_id = old.workspace_id;
  return null;
end
$$;
