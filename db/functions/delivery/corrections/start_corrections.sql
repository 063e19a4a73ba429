-- Moves corrections that are due to `sending` and returns what their adapter needs, each with the time at which its request
-- may be sent, which is now or very soon. Under the locks of their groups and channels, as everything that sends.
--
-- One by one, each looked up by its key: few corrections wait, and for nearly empty tables the planner chooses joins at
-- random.
create or replace function delivery.start_corrections(
  p_workspace_id uuid, p_run_id text, p_limit int, p_now timestamptz default now()
) returns setof delivery.started_correction
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  c_until   constant timestamptz := p_now + delivery.correction_lead();
  -- The most that one call examines: the rest follows when these are in progress.
  c_looked  constant int := 1000;
  v_due     uuid[] := array(
    select distinct t.channel_id from (
      select c.channel_id from delivery.corrections c
      where c.workspace_id = p_workspace_id and c.status in ('queued', 'retry') and c.due_at <= p_now
      order by c.due_at, c.correction_id limit c_looked) t);
  v_open    jsonb;
  v_next    record;
  v_channel record;
  v_post    delivery.deliveries;
  v_posted  jsonb;
  v_turn    record;
  v_row     delivery.corrections;
  v_started int := 0;
begin
  if v_due = '{}' or p_limit <= 0 then
    return;
  end if;
  -- Separate statements: the queries below must see the state after the locks were taken.
  perform from delivery.platform_limits g
  where g.workspace_id = p_workspace_id and (g.platform, g.rate_group) in (
    select c.platform, c.rate_group from delivery.channels c
    where c.workspace_id = p_workspace_id and c.channel_id = any (v_due))
  order by g.platform, g.rate_group
  for no key update;
  perform from delivery.channels c
  where c.workspace_id = p_workspace_id and c.channel_id = any (v_due)
  order by c.channel_id
  for no key update;
  -- How many each channel may still start. A channel that is not listed may start none.
  select coalesce(jsonb_object_agg(c.channel_id, c.max_parallel - coalesce(s.now_sending, 0)), '{}') into v_open
  from delivery.channels c
  join workspaces.workspaces w on w.workspace_id = p_workspace_id
  left join delivery.platform_limits g
    on g.workspace_id = p_workspace_id and g.platform = c.platform and g.rate_group = c.rate_group
  left join delivery.sending_now(p_workspace_id) s on s.channel_id = c.channel_id
  where c.workspace_id = p_workspace_id and c.channel_id = any (v_due) and delivery.correction_block(c, w, g, p_now) is null;

  for v_next in
    select c.correction_id, c.delivery_id, c.channel_id from delivery.corrections c
    where c.workspace_id = p_workspace_id and c.status in ('queued', 'retry') and c.due_at <= p_now
    order by c.due_at, c.correction_id limit c_looked
  loop
    exit when v_started >= p_limit;
    continue when coalesce((v_open ->> v_next.channel_id::text)::int, 0) <= 0;
    select * into v_post from delivery.deliveries d where d.workspace_id = p_workspace_id and d.delivery_id = v_next.delivery_id;
    if v_post.status in ('failed_permanent', 'dead') then
      perform delivery.end_unsent_correction(p_workspace_id, v_next.correction_id, p_now);
    end if;
    continue when v_post.status <> 'sent' or exists (
      select from delivery.corrections s
      where s.workspace_id = p_workspace_id and s.delivery_id = v_next.delivery_id and s.status = 'sending');
    perform from delivery.corrections c
    where c.workspace_id = p_workspace_id and c.correction_id = v_next.correction_id and c.status in ('queued', 'retry')
    for update skip locked;
    continue when not found;

    select * into v_turn from delivery.channel_turn(p_workspace_id, v_next.channel_id, delivery.correction_lead(), p_now);
    if not v_turn.granted then
      -- Its channel has used its turn, or its group has: then no channel of the group has one.
      v_open := v_open - case when delivery.group_is_open(p_workspace_id, v_next.channel_id, c_until)
        then array[v_next.channel_id::text] else delivery.channels_beside(p_workspace_id, v_next.channel_id) end;
      continue;
    end if;
    v_open := jsonb_set(v_open, array[v_next.channel_id::text], to_jsonb((v_open ->> v_next.channel_id::text)::int - 1));
    v_started := v_started + 1;

    select c.platform, c.target_id, c.send_mode, c.settings, c.rate_rps, b.secret_ref into strict v_channel
    from delivery.channels c
    left join delivery.channel_auth a on a.workspace_id = p_workspace_id and a.channel_id = c.channel_id
    left join workspaces.credential_bindings b
      on b.workspace_id = p_workspace_id and b.auth_ref = coalesce(a.auth_ref, c.auth_ref) and b.platform = c.platform
    where c.workspace_id = p_workspace_id and c.channel_id = v_next.channel_id;
    -- What is published there, as far as is known before this attempt.
    v_posted := to_jsonb(delivery.posted_of(v_post));
    update delivery.corrections c
    set status = 'sending', attempt = c.attempt + 1, sending_started_at = p_now, updated_at = p_now,
        claim_token = p_run_id || ':' || c.correction_id || ':' || c.attempt
    where c.workspace_id = p_workspace_id and c.correction_id = v_next.correction_id
    returning * into v_row;
    perform delivery.correction_event(v_row, 'correction_attempt', 2, null, jsonb_build_object('run_id', p_run_id), p_now);
    return next row(
      p_workspace_id, v_row.correction_id, v_row.delivery_id, v_row.claim_token, v_row.attempt, v_row.kind, v_row.channel_id,
      v_channel.platform, delivery.chat_of_target(v_channel.platform, v_channel.target_id), v_channel.send_mode, v_channel.settings,
      v_channel.secret_ref, v_row.rendered_text, v_row.render_meta, v_posted, v_post.sent_at, v_row.created_at, v_turn.at,
      (1000 / nullif(v_channel.rate_rps, 0))::float8)::delivery.started_correction;
  end loop;
end
$$;

-- How long before its send time a correction may be returned. Longer than for posts: turns are given one by one, and this way
-- a bot's rate is fully used even if the database answers slowly.
create or replace function delivery.correction_lead() returns interval
language sql immutable parallel safe as $$
  select interval '250 milliseconds'
$$;

-- Whether the group of a channel has a turn to give by then.
create or replace function delivery.group_is_open(p_workspace_id uuid, p_channel_id uuid, p_until timestamptz) returns boolean
language sql stable as $$
  select coalesce(bool_and(greatest(
    g.cooldown_until, case when g.rate_rps > 0 then g.last_started_at + delivery.start_gap(g.rate_rps) end) <= p_until), true)
  from delivery.channels c
  join delivery.platform_limits g
    on g.workspace_id = p_workspace_id and g.platform = c.platform and g.rate_group = c.rate_group
  where c.workspace_id = p_workspace_id and c.channel_id = p_channel_id
$$;

-- The channels of a channel's group, including itself. Uses channels_rate_group.
create or replace function delivery.channels_beside(p_workspace_id uuid, p_channel_id uuid) returns text[]
language sql stable as $$
  select array_agg(o.channel_id::text)
  from delivery.channels c
  join delivery.channels o on o.workspace_id = p_workspace_id and o.platform = c.platform and o.rate_group = c.rate_group
  where c.workspace_id = p_workspace_id and c.channel_id = p_channel_id
$$;

-- How many requests of a channel are in progress, posts and corrections together.
create or replace function delivery.channel_sending(p_workspace_id uuid, p_channel_id uuid) returns bigint
language sql stable as $$
  select coalesce((select s.now_sending from delivery.sending_now(p_workspace_id) s where s.channel_id = p_channel_id), 0)
$$;

-- A correction waited for a post that was not sent in the end: there is nothing to correct.
create or replace function delivery.end_unsent_correction(p_workspace_id uuid, p_correction_id uuid, p_now timestamptz default now())
returns void
language plpgsql as $$
declare
  v_row delivery.corrections;
begin
  update delivery.corrections c
  set status = 'failed_permanent', ended_at = p_now, updated_at = p_now, last_error = jsonb_build_object(
    'category', 'PERMANENT', 'scope', 'delivery', 'code', 'not_sent', 'message', 'its post was not sent')
  where c.workspace_id = p_workspace_id and c.correction_id = p_correction_id and c.status in ('queued', 'retry')
  returning * into v_row;
  if found then
    perform delivery.correction_event(v_row, 'correction_failed', 2, v_row.last_error, '{}', p_now);
  end if;
end
$$;
