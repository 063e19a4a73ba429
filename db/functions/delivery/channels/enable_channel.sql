-- Enables and resumes: ends a pause and resets the count of refusals in a row.
create or replace function delivery.enable_channel(
  p_workspace_id uuid, p_channel_id uuid, p_operator text, p_reason text, p_now timestamptz default now()
) returns boolean
language sql as $$
  select delivery.switch_channels(p_workspace_id, array[p_channel_id], true, p_operator, p_reason, '{}', p_now) > 0
$$;
