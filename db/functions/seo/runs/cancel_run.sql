-- Stops a run for its person: at once if nobody works on it, otherwise before its next step. Returns its status afterwards, with
-- `running` when it will stop; null if the person has no such run.
create or replace function seo.cancel_run(
  p_workspace_id uuid, p_user_id bigint, p_run_id uuid, p_now timestamptz default now()
) returns text
language plpgsql as $$
declare
  v_status text;
begin
  update seo.runs r
  set status = case when r.status in ('queued', 'review') then 'cancelled' else r.status end,
    ended_at = case when r.status in ('queued', 'review') then p_now else r.ended_at end,
    cancel_requested_at = case when seo.run_has_ended(r.status) or r.status = 'publishing' then r.cancel_requested_at
      else coalesce(r.cancel_requested_at, p_now) end
  where r.workspace_id = p_workspace_id and r.user_id = p_user_id and r.id = p_run_id
  returning r.status into v_status;
  return v_status;
end
$$;
