-- Who stopped a channel that is disabled or paused, why, and what would help. `stopped_by` is 'refusals' if its posts were
-- refused, 'operator' if a person stopped it, null if there is no event (a change by plain SQL, or long ago).
--   help: set_credential   the provider refuses its token
--         mend_channel     the chat refuses the bot's posts
--         resume           an operator stopped it, and an operator has to resume it
create or replace function delivery.channel_stop(
  p_channel delivery.channels, p_now timestamptz default now(),
  out since timestamptz, out stopped_by text, out operator text, out reason text, out error jsonb, out help text
)
language plpgsql stable
set plan_cache_mode = force_custom_plan
as $$
declare
  v_event workspaces.events;
begin
  -- Uses events_by_action: few channels are stopped, however long their history is. "Offset 0" keeps the planner from reading
  -- by channel.
  select s.* into v_event
  from (
    select e.* from workspaces.events e
    where e.workspace_id = p_channel.workspace_id
      and e.action = case when p_channel.enabled then 'channel_paused' else 'channel_disabled' end
      and e.ts <= p_now + interval '1 second'
    order by e.ts desc
    offset 0
  ) s
  where s.channel_id = p_channel.channel_id
  limit 1;
  -- A pause that differs from the recorded one was set by hand.
  if found and not (p_channel.enabled
                    and coalesce((v_event.meta ->> 'paused_until')::timestamptz <> p_channel.paused_until, false)) then
    since := v_event.ts;
    error := delivery.error_of(v_event.error);
    operator := workspaces.actor_name(v_event.meta ->> 'operator');
    reason := coalesce(v_event.meta ->> 'reason', error ->> 'message');
    stopped_by := case when v_event.meta ? 'manual' then 'operator' else 'refusals' end;
  end if;
  help := case
    when stopped_by is distinct from 'refusals' then 'resume'
    when error ->> 'code' in ('unauthorized', 'missing_credential') then 'set_credential'
    else 'mend_channel'
  end;
end
$$;
