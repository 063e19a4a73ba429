-- A channel as lists name it. One without a title is recognised by its target: the chat's @name if it was found by one.
create or replace function delivery.channel_facts(p_channel delivery.channels) returns jsonb
language sql stable parallel safe as $$
  select jsonb_build_object(
    'id', p_channel.channel_id, 'title', p_channel.title, 'platform', p_channel.platform,
    'target', coalesce(p_channel.target_name, p_channel.target_id))
$$;
