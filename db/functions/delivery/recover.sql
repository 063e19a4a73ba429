-- After an outage whose cause is mended (a token revoked, a bot thrown out, a provider away): everything that failed comes back.

-- What failed since then and may be sent again: dead, or turned away by its channel or the platform. What failed for a fault of
-- its own, was called off, grew too old or may have arrived is a person's to decide, one by one. The oldest first, so that they
-- leave in their order. Found through events_by_action; each delivery by its key.
create or replace function delivery.recoverable(
  p_workspace_id uuid, p_since timestamptz, p_channels uuid[], p_limit int, p_now timestamptz default now()
) returns setof delivery.deliveries
language sql stable
set plan_cache_mode = force_custom_plan
as $$
  select d.*
  from (
    select distinct e.delivery_id from workspaces.events e
    where e.workspace_id = p_workspace_id and e.action in ('failed_permanent', 'dead_letter') and e.ts >= p_since
      and (p_channels is null or e.channel_id = any (p_channels))
  ) f
  join delivery.deliveries d on d.workspace_id = p_workspace_id and d.delivery_id = f.delivery_id
  where (d.status = 'dead' or delivery.was_refused(d)) and delivery.repeat_refusal(d, p_now) is null
    -- However long ago: what came by another delivery does not come again unasked.
    and not exists (
      select from delivery.deliveries o
      where o.workspace_id = p_workspace_id and o.message_id = d.message_id and o.channel_id = d.channel_id
        and o.sent_at >= d.created_at)
  order by d.created_at, d.delivery_id
  limit p_limit
$$;

-- Brings back up to `p_limit` of them and says which; none are left when fewer come back. Null for `p_channels` is all of them.
create or replace function delivery.recover(
  p_workspace_id uuid, p_since timestamptz, p_channels uuid[], p_operator text, p_reason text, p_limit int default 1000,
  p_now timestamptz default now()
) returns table (delivery_id uuid, channel_id uuid, was text, code text)
language plpgsql as $$
#variable_conflict use_column
begin
  return query
  with chosen as materialized (
    select r.delivery_id, r.channel_id, r.status, r.last_error ->> 'code' as code
    from delivery.recoverable(p_workspace_id, p_since, p_channels, p_limit, p_now) r
  ),
  sent_again as materialized (
    select s.delivery_id from delivery.send_again(
      p_workspace_id, array(select c.delivery_id from chosen c), true, p_operator, p_reason, p_now) s
    where s.refusal is null
  )
  select c.delivery_id, c.channel_id, c.status, c.code from chosen c join sent_again using (delivery_id);
end
$$;

-- The channels that send with a credential.
create or replace function delivery.channels_of_credential(p_workspace_id uuid, p_platform text, p_auth_ref text) returns uuid[]
language sql stable as $$
  select coalesce(array_agg(c.channel_id), '{}')
  from delivery.channels c
  left join delivery.channel_auth a using (workspace_id, channel_id)
  where c.workspace_id = p_workspace_id and c.platform = p_platform and coalesce(a.auth_ref, c.auth_ref) = p_auth_ref
$$;

-- Those that stand still because they refused posts, not because somebody stopped them. Null for `p_channels` is all of them.
create or replace function delivery.stopped_by_refusals(p_workspace_id uuid, p_channels uuid[], p_now timestamptz default now())
returns uuid[]
language sql stable as $$
  select coalesce(array_agg(c.channel_id order by c.channel_id), '{}')
  from delivery.channels c
  cross join lateral delivery.channel_stop(c, p_now) s
  where c.workspace_id = p_workspace_id and (p_channels is null or c.channel_id = any (p_channels))
    and (not c.enabled or c.paused_until > p_now) and s.stopped_by = 'refusals'
$$;

-- Lets them go on, and says which.
create or replace function delivery.resume_refused(
  p_workspace_id uuid, p_channels uuid[], p_operator text, p_reason text, p_now timestamptz default now()
) returns uuid[]
language plpgsql as $$
declare
  v_stopped constant uuid[] := delivery.stopped_by_refusals(p_workspace_id, p_channels, p_now);
begin
  if v_stopped <> '{}' then
    perform delivery.switch_channels(p_workspace_id, v_stopped, true, p_operator, p_reason, '{}', p_now);
  end if;
  return v_stopped;
end
$$;
