-- When a channel's hours change, its waiting deliveries are rescheduled at once, whoever changed the hours. Posts with their
-- own exact time keep it; claimed ones are checked against the window again when they start.
--
-- One channel: while it is open, what waited for an opening is due in the order in which it came; while it is closed,
-- everything waits for the next opening. If the window never opens, nothing is changed: `why` says that it is closed.
create or replace function delivery.follow_window(
  p_channel delivery.channels, p_workspace_timezone text, p_now timestamptz default now()
) returns int
language plpgsql
set plan_cache_mode = force_custom_plan
as $$
declare
  v_opens constant timestamptz := delivery.channel_opens_at(p_channel, p_workspace_timezone, p_now);
  v_moved int;
begin
  -- Uses deliveries_inflight, which holds only live deliveries.
  update delivery.deliveries d
  set not_before = case when v_opens <= p_now then delivery.place_in_queue(d) else v_opens end, updated_at = p_now
  where d.workspace_id = p_channel.workspace_id and d.channel_id = p_channel.channel_id
    and d.status in ('queued', 'claimed', 'sending', 'retry') and d.status in ('queued', 'retry')
    and d.scheduled_for is null
    and case when v_opens <= p_now then d.not_before > p_now else d.not_before <> v_opens end;
  get diagnostics v_moved = row_count;
  if v_moved > 0 then
    perform pg_notify('molva_deliveries', p_channel.workspace_id::text);
  end if;
  return v_moved;
end
$$;
