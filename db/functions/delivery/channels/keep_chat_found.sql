-- Stores the id of a chat that was known by its name, and the chat's title if the channel has none. Returns the target that
-- is stored now; null and the other channel, if that one has the chat and a second channel was not allowed.
create or replace function delivery.keep_chat_found(
  p_workspace_id uuid, p_channel_id uuid, p_name text, p_target text, p_title text, p_now timestamptz default now(),
  out target text, out taken_by uuid
)
language plpgsql as $$
declare
  v_channel delivery.channels;
begin
  select * into v_channel from delivery.channels
  where workspace_id = p_workspace_id and channel_id = p_channel_id
  for update;
  -- Somebody else changed it in the meantime, or found the id too.
  if not found or split_part(v_channel.target_id, '#', 1) <> p_name then
    target := v_channel.target_id;
    return;
  end if;
  if not v_channel.allow_duplicate and not v_channel.addressed_only then
    taken_by := delivery.channel_on_chat(p_workspace_id, v_channel.platform, p_target, p_channel_id);
    if taken_by is not null then
      return;
    end if;
  end if;
  update delivery.channels
  set target_id = p_target, target_name = p_name, title = coalesce(title, p_title), updated_at = p_now
  where workspace_id = p_workspace_id and channel_id = p_channel_id
  returning target_id into target;
  perform workspaces.note_change(p_workspace_id, p_channel_id, 'channel_changed', 'molva', null,
    jsonb_build_object('changes', jsonb_build_object('target_id', jsonb_build_object('from', v_channel.target_id, 'to', target))),
    p_now);
end
$$;
