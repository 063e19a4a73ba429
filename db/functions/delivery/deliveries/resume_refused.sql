-- Resumes these channels and returns them.
create or replace function delivery.resume_refused(
  p_workspace_id uuid, p_channels uuid[], p_operator text, p_reason text, p_now timestamptz default now()
) returns uuid[]
language plpgsql as $$
declare
  v_stopped constant uuid[] := delivery.stopped_by_refusals(p_workspace_id, p_channels, p_now);
begin
  if v_stopped <> '{}' then
    perform delivery.switch_channels(p_workspace_id, v_stopped, true, p_operator, p_reason, '{}', p_now);
  end if;
  return v_stopped;
end
$$;
