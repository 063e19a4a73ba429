-- The same for every channel of a rate group, on any platform. Returns the number of channels.
create or replace function delivery.enable_group(
  p_workspace_id uuid, p_rate_group text, p_operator text, p_reason text, p_now timestamptz default now()
) returns int
language sql as $$
  select delivery.switch_channels(p_workspace_id, delivery.channels_of_group(p_workspace_id, p_rate_group), true,
    p_operator, p_reason, jsonb_build_object('rate_group', p_rate_group), p_now)
$$;
