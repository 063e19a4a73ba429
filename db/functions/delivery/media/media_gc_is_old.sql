create or replace function delivery.media_gc_is_old(p_origin delivery.media_origin, p_now timestamptz default now()) returns boolean
language sql stable as $$
  select p_origin.last_seen_at < p_now - make_interval(days =>
    case when p_origin.content_type like 'video/%' and p_origin.size_bytes >= r.large_video_bytes
      then r.large_video_days else r.media_days end)
  from delivery.retention_of((select w.settings from workspaces.workspaces w where w.workspace_id = p_origin.workspace_id)) r
$$;
