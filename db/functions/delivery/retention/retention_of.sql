-- How long things are kept: workspaces.settings -> 'retention', over these defaults.
create or replace function delivery.retention_of(p_settings jsonb)
returns table (
  events_days int, deliveries_days int, payloads_days int, media_days int, large_video_days int, large_video_bytes bigint)
language sql immutable parallel safe as $$
  select r.*
  from jsonb_to_record('{
      "events_days": 30, "deliveries_days": 90, "payloads_days": 14,
      "media_days": 30, "large_video_days": 7, "large_video_bytes": 52428800
    }'::jsonb || coalesce(p_settings -> 'retention', '{}')) as r (
    events_days int, deliveries_days int, payloads_days int, media_days int, large_video_days int, large_video_bytes bigint)
$$;
