-- The runbook's operations on channels, each with its event. Whoever calls them, psql and n8n included, gets the same.

-- Keeps a channel from sending until a time. Posts still join its queue.
create or replace function delivery.pause_channel(
  p_workspace_id uuid, p_channel_id uuid, p_until timestamptz, p_operator text, p_reason text,
  p_now timestamptz default now()
) returns boolean
language plpgsql as $$
begin
  update delivery.channels set paused_until = p_until, updated_at = p_now
  where workspace_id = p_workspace_id and channel_id = p_channel_id;
  if not found then
    return false;
  end if;
  perform workspaces.note_change(p_workspace_id, p_channel_id, 'channel_paused', p_operator, p_reason,
    jsonb_build_object('manual', true, 'paused_until', p_until), p_now);
  return true;
end
$$;

-- Enables and resumes: ends a pause, forgets the streak of refusals.
create or replace function delivery.enable_channel(
  p_workspace_id uuid, p_channel_id uuid, p_operator text, p_reason text, p_now timestamptz default now()
) returns boolean
language sql as $$
  select delivery.switch_channels(p_workspace_id, array[p_channel_id], true, p_operator, p_reason, '{}', p_now) > 0
$$;

create or replace function delivery.disable_channel(
  p_workspace_id uuid, p_channel_id uuid, p_operator text, p_reason text, p_now timestamptz default now()
) returns boolean
language sql as $$
  select delivery.switch_channels(p_workspace_id, array[p_channel_id], false, p_operator, p_reason, '{}', p_now) > 0
$$;

-- The same for every channel of a rate group, whatever its platform. Answers how many there are.
create or replace function delivery.enable_group(
  p_workspace_id uuid, p_rate_group text, p_operator text, p_reason text, p_now timestamptz default now()
) returns int
language sql as $$
  select delivery.switch_channels(p_workspace_id, delivery.channels_of_group(p_workspace_id, p_rate_group), true,
    p_operator, p_reason, jsonb_build_object('rate_group', p_rate_group), p_now)
$$;

create or replace function delivery.disable_group(
  p_workspace_id uuid, p_rate_group text, p_operator text, p_reason text, p_now timestamptz default now()
) returns int
language sql as $$
  select delivery.switch_channels(p_workspace_id, delivery.channels_of_group(p_workspace_id, p_rate_group), false,
    p_operator, p_reason, jsonb_build_object('rate_group', p_rate_group), p_now)
$$;

create or replace function delivery.channels_of_group(p_workspace_id uuid, p_rate_group text) returns uuid[]
language sql stable as $$
  select coalesce(array_agg(channel_id), '{}') from delivery.channels
  where workspace_id = p_workspace_id and rate_group = p_rate_group
$$;

create or replace function delivery.switch_channels(
  p_workspace_id uuid, p_channel_ids uuid[], p_enabled boolean, p_operator text, p_reason text, p_meta jsonb,
  p_now timestamptz default now()
) returns int
language plpgsql as $$
declare
  v_switched uuid[];
begin
  -- The order in which the dispatcher locks them.
  perform from delivery.channels
  where workspace_id = p_workspace_id and channel_id = any (p_channel_ids)
  order by channel_id
  for update;
  with switched as (
    update delivery.channels
    set enabled = p_enabled,
        paused_until = case when p_enabled then null else paused_until end,
        error_streak = case when p_enabled then 0 else error_streak end,
        updated_at = p_now
    where workspace_id = p_workspace_id and channel_id = any (p_channel_ids)
    returning channel_id
  )
  select coalesce(array_agg(channel_id order by channel_id), '{}') into v_switched from switched;
  perform workspaces.note_change(p_workspace_id, channel_id,
    case when p_enabled then 'channel_enabled' else 'channel_disabled' end, p_operator, p_reason,
    p_meta || '{"manual": true}', p_now)
  from unnest(v_switched) as channel_id;
  if p_enabled then
    perform pg_notify('molva_deliveries', p_workspace_id::text);
  end if;
  return cardinality(v_switched);
end
$$;

-- Gives the channel another credential. The lock keeps sends from beginning, so with none under way the switch falls
-- between two of them. Answers 'rotated', or why not: 'not_found', 'unbound' (no token has that name), 'sending'.
create or replace function delivery.rotate_channel_auth(
  p_workspace_id uuid, p_channel_id uuid, p_auth_ref text, p_rate_group text, p_operator text, p_reason text,
  p_now timestamptz default now()
) returns text
language plpgsql as $$
declare
  v_channel delivery.channels;
  v_old_ref text;
begin
  select * into v_channel from delivery.channels
  where workspace_id = p_workspace_id and channel_id = p_channel_id
  for update;
  if not found then
    return 'not_found';
  end if;
  if not exists (
    select from workspaces.credential_bindings
    where workspace_id = p_workspace_id and auth_ref = p_auth_ref and platform = v_channel.platform
  ) then
    return 'unbound';
  end if;
  if exists (
    select from delivery.deliveries
    where workspace_id = p_workspace_id and channel_id = p_channel_id and status = 'sending'
  ) then
    return 'sending';
  end if;

  select coalesce(
    (select auth_ref from delivery.channel_auth where workspace_id = p_workspace_id and channel_id = p_channel_id),
    v_channel.auth_ref) into v_old_ref;
  insert into delivery.channel_auth (workspace_id, channel_id, auth_ref, rotated_at, updated_at)
  values (p_workspace_id, p_channel_id, p_auth_ref, p_now, p_now)
  on conflict (workspace_id, channel_id) do update
    set auth_ref = excluded.auth_ref, rotated_at = excluded.rotated_at, updated_at = excluded.updated_at;
  update delivery.channels
  set auth_ref = p_auth_ref, rate_group = coalesce(p_rate_group, rate_group), updated_at = p_now
  where workspace_id = p_workspace_id and channel_id = p_channel_id;
  perform workspaces.note_change(p_workspace_id, p_channel_id, 'auth_rotated', p_operator, p_reason,
    jsonb_build_object('old_auth_ref', v_old_ref, 'new_auth_ref', p_auth_ref), p_now);
  return 'rotated';
end
$$;

-- Removes a channel with its deliveries. What still waits is called off only when forced; what is being sent this moment
-- is never cut off. Answers 'deleted', 'not_found', 'waiting' or 'sending', and how many are in the way.
create or replace function delivery.delete_channel(
  p_workspace_id uuid, p_channel_id uuid, p_force boolean, p_operator text, p_reason text,
  p_now timestamptz default now(), out outcome text, out live int
)
language plpgsql as $$
declare
  v_channel delivery.channels;
  v_sending int;
begin
  live := 0;
  select * into v_channel from delivery.channels
  where workspace_id = p_workspace_id and channel_id = p_channel_id
  for update;
  if not found then
    outcome := 'not_found';
    return;
  end if;
  select count(*), count(*) filter (where status = 'sending') into live, v_sending
  from delivery.deliveries
  where workspace_id = p_workspace_id and channel_id = p_channel_id
    and status in ('queued', 'claimed', 'sending', 'retry');
  outcome := case when v_sending > 0 then 'sending' when live > 0 and not p_force then 'waiting' else 'deleted' end;
  if outcome <> 'deleted' then
    return;
  end if;

  insert into workspaces.events (workspace_id, id, delivery_id, message_id, channel_id, ts, action, attempt, result, meta)
  select p_workspace_id, molva.uuidv7(p_now), d.delivery_id, d.message_id, p_channel_id, p_now, 'cancelled', d.attempt, 'ok',
    jsonb_strip_nulls(jsonb_build_object('operator', p_operator, 'reason', workspaces.redact_text(p_reason)))
      || '{"channel_deleted": true}'
  from delivery.deliveries d
  where d.workspace_id = p_workspace_id and d.channel_id = p_channel_id and d.status in ('queued', 'claimed', 'retry');
  delete from delivery.channels where workspace_id = p_workspace_id and channel_id = p_channel_id;
  perform workspaces.note_change(p_workspace_id, p_channel_id, 'channel_changed', p_operator, p_reason,
    jsonb_build_object('deleted', true, 'platform', v_channel.platform, 'target_id', v_channel.target_id,
                       'title', v_channel.title), p_now);
end
$$;
