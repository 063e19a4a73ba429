-- Removes a channel with its deliveries. Waiting ones are cancelled only if forced; one that is being sent is never
-- interrupted. Returns 'deleted', 'not_found', 'waiting' or 'sending', and how many deliveries prevent it.
create or replace function delivery.delete_channel(
  p_workspace_id uuid, p_channel_id uuid, p_force boolean, p_operator text, p_reason text,
  p_now timestamptz default now(), out outcome text, out live int
)
language plpgsql as $$
declare
  v_channel delivery.channels;
  v_sending int;
begin
  live := 0;
  select * into v_channel from delivery.channels
  where workspace_id = p_workspace_id and channel_id = p_channel_id
  for update;
  if not found then
    outcome := 'not_found';
    return;
  end if;
  select count(*), count(*) filter (where status = 'sending') into live, v_sending
  from delivery.deliveries
  where workspace_id = p_workspace_id and channel_id = p_channel_id
    and status in ('queued', 'claimed', 'sending', 'retry');
  select live + count(*), v_sending + count(*) filter (where status = 'sending') into live, v_sending
  from delivery.corrections
  where workspace_id = p_workspace_id and channel_id = p_channel_id and status in ('queued', 'retry', 'sending');
  outcome := case when v_sending > 0 then 'sending' when live > 0 and not p_force then 'waiting' else 'deleted' end;
  if outcome <> 'deleted' then
    return;
  end if;

  insert into workspaces.events (workspace_id, id, delivery_id, message_id, channel_id, ts, action, attempt, result, meta)
  select p_workspace_id, molva.uuidv7(p_now), d.delivery_id, d.message_id, p_channel_id, p_now, 'cancelled', d.attempt, 'ok',
    jsonb_strip_nulls(jsonb_build_object('operator', p_operator, 'reason', workspaces.redact_text(p_reason)))
      || '{"channel_deleted": true}'
  from delivery.deliveries d
  where d.workspace_id = p_workspace_id and d.channel_id = p_channel_id and d.status in ('queued', 'claimed', 'retry');
  delete from delivery.channels where workspace_id = p_workspace_id and channel_id = p_channel_id;
  perform workspaces.note_change(p_workspace_id, p_channel_id, 'channel_changed', p_operator, p_reason,
    jsonb_build_object('deleted', true, 'platform', v_channel.platform, 'target_id', v_channel.target_id,
                       'title', v_channel.title), p_now);
end
$$;
