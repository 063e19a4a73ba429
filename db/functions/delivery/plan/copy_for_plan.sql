-- A copy of everything that decides when a workspace's deliveries go out, under a new id: for a transaction that is rolled back.
create or replace function delivery.copy_for_plan(p_workspace_id uuid, p_now timestamptz default now()) returns uuid
language plpgsql as $$
declare
  v_copy_id constant uuid := molva.uuidv7(p_now);
begin
  insert into workspaces.workspaces (workspace_id, name, status, timezone, settings, created_at, updated_at)
  select v_copy_id, w.name, w.status, w.timezone, w.settings, p_now, p_now
  from workspaces.workspaces w where w.workspace_id = p_workspace_id;

  insert into delivery.platform_limits (
    workspace_id, platform, rate_group, rate_rps, next_allowed_at, last_started_at, cooldown_until, updated_at)
  select v_copy_id, g.platform, g.rate_group, g.rate_rps, g.next_allowed_at, g.last_started_at, g.cooldown_until, g.updated_at
  from delivery.platform_limits g where g.workspace_id = p_workspace_id;

  insert into delivery.channels (
    workspace_id, channel_id, platform, target_id, allow_duplicate, enabled, auth_ref, rate_group, rate_rps, max_parallel,
    next_allowed_at, last_started_at, timezone, window_mode, posting_window, max_age_seconds, on_stale, catchup, dedup_ttl_hours,
    paused_until, addressed_only, owner_product, owner_user, connection_key, created_at, updated_at)
  select v_copy_id, c.channel_id, c.platform, c.target_id, c.allow_duplicate, c.enabled, c.auth_ref, c.rate_group, c.rate_rps,
    c.max_parallel, c.next_allowed_at, c.last_started_at, c.timezone, c.window_mode, c.posting_window, c.max_age_seconds, c.on_stale,
    c.catchup, c.dedup_ttl_hours, c.paused_until, c.addressed_only, c.owner_product, c.owner_user, c.connection_key, c.created_at,
    c.updated_at
  from delivery.channels c where c.workspace_id = p_workspace_id;
  return v_copy_id;
end
$$;
