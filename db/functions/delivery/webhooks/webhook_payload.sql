-- The body of a webhook: what happened, to which delivery and in which channel, as it was at the time of the event.
create or replace function delivery.webhook_payload(
  p_type text, p_workspace_id uuid, p_event_id uuid, p_ts timestamptz, p_delivery_id uuid, p_message_id uuid, p_channel_id uuid,
  p_attempt int, p_error jsonb, p_meta jsonb
) returns jsonb
language sql stable as $$
  select jsonb_build_object('type', p_type, 'timestamp', delivery.iso_time(p_ts), 'data', jsonb_build_object(
    'event_id', p_event_id, 'workspace_id', p_workspace_id,
    'delivery', (
      select jsonb_build_object(
        'delivery_id', d.delivery_id, 'message_id', d.message_id, 'status', d.status, 'attempt', p_attempt,
        'provider_message_id', d.provider_message_id, 'url', d.provider_meta ->> 'url', 'trace_id', d.trace_id,
        'source_ref', (
          select m.source_ref from delivery.messages m
          where m.workspace_id = p_workspace_id and m.message_id = d.message_id))
      from delivery.deliveries d
      where d.workspace_id = p_workspace_id and d.delivery_id = p_delivery_id and p_type like 'delivery.%'),
    'channel', (
      select jsonb_build_object(
        'channel_id', c.channel_id, 'platform', c.platform, 'target_id', c.target_id, 'title', c.title,
        'enabled', c.enabled, 'paused_until', delivery.iso_time(c.paused_until))
      from delivery.channels c
      where c.workspace_id = p_workspace_id and c.channel_id = p_channel_id),
    'webhook_id', case p_type when 'webhook.disabled' then p_meta ->> 'webhook_id' end,
    'error', (
      select jsonb_build_object('code', e ->> 'code', 'category', e ->> 'category', 'message', e ->> 'message')
      -- A cancellation is no error of its event; why the delivery ended is in its row.
      from coalesce(p_error, (
        select d.last_error from delivery.deliveries d
        where p_type = 'delivery.cancelled' and d.workspace_id = p_workspace_id and d.delivery_id = p_delivery_id)) as e
      where jsonb_typeof(e) = 'object')))
$$;

create or replace function delivery.iso_time(p_at timestamptz) returns text
language sql immutable parallel safe as $$
  select to_char(p_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;
