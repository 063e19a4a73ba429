-- Has a text reviewed again that was written but could not be published; its preview page is gone. False if there is no such text.
create or replace function seo.reopen_run(
  p_workspace_id uuid, p_user_id bigint, p_run_id uuid, p_now timestamptz default now()
) returns boolean
language plpgsql as $$
begin
  update seo.runs r
  set status = 'review', reviewed_at = p_now, ended_at = null, error = null, result = r.result || '{"preview": null}'
  where r.workspace_id = p_workspace_id and r.user_id = p_user_id and r.id = p_run_id and r.status = 'failed'
    and r.origin = 'person' and jsonb_typeof(r.result) = 'object';
  return found;
end
$$;
