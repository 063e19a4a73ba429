-- Ends a process's work on a run: it waits for a person's decision (review), for its delivery (publishing), or has ended.
create or replace function seo.leave_run(
  p_workspace_id uuid, p_run_id uuid, p_token uuid, p_status text, p_result jsonb, p_error jsonb, p_now timestamptz default now()
) returns void
language plpgsql as $$
begin
  update seo.runs r
  set status = p_status, token = null, leased_until = null, result = coalesce(p_result, r.result), error = p_error,
    reviewed_at = case when p_status = 'review' then p_now else r.reviewed_at end,
    ended_at = case when seo.run_has_ended(p_status) then p_now end,
    stage = null
  where r.workspace_id = p_workspace_id and r.id = p_run_id and r.status = 'running' and r.token = p_token;
  if not found then
    raise exception 'run_is_taken' using detail = p_run_id::text;
  end if;
end
$$;

create or replace function seo.run_has_ended(p_status text) returns boolean
language sql immutable as $$
  select p_status in ('done', 'failed', 'cancelled', 'expired')
$$;
