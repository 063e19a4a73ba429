-- What failed since then and is still as it failed, by its cause: the error's code and scope, and for an error of the channel or the
-- platform the channel, the credential or the rate group that it is about. What an operator called off has not failed.
--
-- Looks at the newest `p_most` events of each kind and says whether there are more. Uses events_by_action; each delivery is found by
-- its key: "offset 0" keeps the planner from reading the table instead.
create or replace function delivery.failures(
  p_workspace_id uuid, p_since timestamptz, p_credential_codes text[], p_most int default 5000
) returns jsonb
language sql stable
set plan_cache_mode = force_custom_plan
as $$
  with told as materialized (
    select a.action, e.delivery_id, e.ts, e.place
    from unnest(array['failed_permanent', 'dead_letter', 'validation_failed', 'stale_dropped']) as a (action)
    cross join lateral (
      select n.delivery_id, n.ts, row_number() over (order by n.ts desc) as place
      from workspaces.events n
      where n.workspace_id = p_workspace_id and n.action = a.action and n.ts >= p_since
      order by n.ts desc limit p_most + 1
    ) e
  ),
  failed as materialized (
    select t.at, d.*, concat_ws('|', d.code, d.scope, d.about) as cause
    from (
      select delivery_id, max(ts) as at from told where place <= p_most and delivery_id is not null group by 1
    ) t
    cross join lateral (
      select d.delivery_id, d.message_id, d.channel_id, e.code, e.scope, d.last_error ->> 'message' as message,
        not delivery.is_promised(d) and (d.status = 'dead' or delivery.was_refused(d)) as recoverable,
        delivery.requeue_refusal(d) is null as requeueable,
        jsonb_strip_nulls(jsonb_build_object('kind', k.kind) || case k.kind
          when 'channel' then jsonb_build_object('channel_id', c.channel_id, 'platform', c.platform)
          when 'credential' then jsonb_build_object('platform', c.platform, 'auth_ref', coalesce(a.auth_ref, c.auth_ref))
          when 'rate_group' then jsonb_build_object('platform', c.platform, 'rate_group', c.rate_group)
          else '{}' end) as about
      from (
        select * from delivery.deliveries d
        where d.workspace_id = p_workspace_id and d.delivery_id = t.delivery_id
        offset 0
      ) d
      join delivery.channels c on c.workspace_id = p_workspace_id and c.channel_id = d.channel_id
      left join delivery.channel_auth a on a.workspace_id = p_workspace_id and a.channel_id = d.channel_id
      cross join lateral (
        select coalesce(d.last_error ->> 'code', 'unknown') as code, coalesce(d.last_error ->> 'scope', 'delivery') as scope
      ) e
      cross join lateral (
        select case
          when e.scope not in ('channel', 'platform') then 'post'
          when e.code = any (p_credential_codes) then 'credential'
          when e.scope = 'channel' then 'channel'
          else 'rate_group' end as kind
      ) k
      where (d.status in ('failed_permanent', 'dead')) is true and d.last_error ->> 'code' is distinct from 'cancelled'
    ) d
  ),
  in_channels as (
    select cause, channel_id, row_number() over (partition by cause order by count(*) desc, max(at) desc) as place
    from failed group by cause, channel_id
  ),
  grouped as (
    select f.cause, min(f.code) as code, min(f.scope) as scope, (array_agg(f.about))[1] as about,
      count(*) as deliveries, count(distinct f.message_id) as posts, count(distinct f.channel_id) as channels,
      min(f.at) as first_at, max(f.at) as last_at, (array_agg(f.message order by f.at desc))[1] as message,
      (array_agg(f.delivery_id order by f.at desc))[1:3] as sample,
      count(*) filter (where f.recoverable) as recoverable, count(*) filter (where f.requeueable) as requeueable
    from failed f group by f.cause
  )
  select jsonb_build_object(
    'truncated', exists (select from told where place > p_most),
    'groups', coalesce((
      select jsonb_agg(jsonb_build_object(
        'code', g.code, 'scope', g.scope, 'cause', g.about,
        'deliveries', g.deliveries, 'posts', g.posts, 'channels', g.channels,
        'first_at', g.first_at, 'last_at', g.last_at, 'message', g.message,
        'recoverable', g.recoverable, 'requeueable', g.requeueable,
        'sample_deliveries', g.sample,
        'sample_channels', (
          select jsonb_agg(delivery.channel_facts(c) order by i.place)
          from in_channels i
          join delivery.channels c on c.workspace_id = p_workspace_id and c.channel_id = i.channel_id
          where i.cause = g.cause and i.place <= 5)) order by g.last_at desc, g.cause)
      from grouped g), '[]'))
$$;
