-- Phase two: takes claimed deliveries whose slot has come into `sending`, under the channel's lock, and hands out
-- everything the adapter needs. The attempt is counted and its event written before anyone touches the network.
create or replace function delivery.start_sending(
  p_workspace_id uuid,
  p_run_id       text,
  p_limit        int,
  p_now          timestamptz default now()
) returns table (
  delivery_id uuid, claim_token text, attempt int, message_id uuid, channel_id uuid, platform text, target_id text,
  send_mode text, settings jsonb, secret_ref text, unknown_policy text, payload jsonb, render_meta jsonb,
  last_error jsonb, created_at timestamptz, trace_id text
)
language plpgsql as $$
#variable_conflict use_column
begin
  -- A statement of its own: what is counted below must be seen after the locks were got, not before.
  perform from delivery.channels c
  where c.workspace_id = p_workspace_id and c.channel_id in (
    select d.channel_id from delivery.deliveries d
    where d.workspace_id = p_workspace_id and d.status = 'claimed' and d.not_before <= p_now)
  order by c.channel_id
  for update;

  return query
  with due as materialized (
    select distinct d.channel_id
    from delivery.deliveries d
    where d.workspace_id = p_workspace_id and d.status = 'claimed' and d.not_before <= p_now
  ),
  free_channels as materialized (
    select c.channel_id, c.max_parallel - (
        select count(*) from delivery.deliveries s
        where s.workspace_id = p_workspace_id and s.channel_id = c.channel_id and s.status = 'sending'
      ) as room
    from delivery.channels c
    join delivery.workspaces w using (workspace_id)
    left join delivery.platform_limits g using (workspace_id, platform, rate_group)
    where c.workspace_id = p_workspace_id and c.channel_id in (select due.channel_id from due)
      and c.enabled and coalesce(c.paused_until, '-infinity') <= p_now
      and w.status = 'active'
      and coalesce(g.cooldown_until, '-infinity') <= p_now
    for update of c
  ),
  ready as materialized (
    select r.delivery_id
    from free_channels f
    cross join lateral (
      select d.delivery_id, d.not_before
      from delivery.deliveries d
      where d.workspace_id = p_workspace_id and d.channel_id = f.channel_id
        and d.status = 'claimed' and d.not_before <= p_now and d.held_at is null
      order by d.not_before, d.priority, d.created_at
      limit greatest(f.room, 0)
      for update skip locked
    ) r
    order by r.not_before
    limit p_limit
  ),
  started as (
    update delivery.deliveries d
    set status = 'sending', attempt = d.attempt + 1, sending_started_at = p_now,
        claim_token = p_run_id || ':' || gen_random_uuid(), updated_at = p_now
    from ready r
    where d.workspace_id = p_workspace_id and d.delivery_id = r.delivery_id
    returning d.*
  ),
  noted as (
    insert into delivery.events (workspace_id, id, delivery_id, message_id, channel_id, ts, action, attempt, result, meta)
    select s.workspace_id, molva.uuidv7(p_now), s.delivery_id, s.message_id, s.channel_id,
      p_now + interval '1 microsecond', 'send_attempt', s.attempt, 'ok',
      jsonb_strip_nulls(jsonb_build_object('idempotency_key', s.delivery_id, 'run_id', p_run_id, 'trace_id', s.trace_id))
    from started s
  )
  select s.delivery_id, s.claim_token, s.attempt, s.message_id, s.channel_id, c.platform, c.target_id, c.send_mode,
    c.settings, b.secret_ref, c.unknown_policy, m.payload, s.render_meta, s.last_error, s.created_at, s.trace_id
  from started s
  join delivery.channels c using (workspace_id, channel_id)
  join delivery.messages m using (workspace_id, message_id)
  left join delivery.channel_auth a using (workspace_id, channel_id)
  left join delivery.credential_bindings b
    on b.workspace_id = s.workspace_id and b.auth_ref = coalesce(a.auth_ref, c.auth_ref) and b.platform = c.platform
  order by s.not_before;
end
$$;
