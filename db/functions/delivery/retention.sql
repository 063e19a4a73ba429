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

-- The moment before which something may go.
create or replace function delivery.retention_cutoff(p_workspace_id uuid, p_now timestamptz default now())
returns table (events timestamptz, deliveries timestamptz)
language sql stable as $$
  select p_now - make_interval(days => r.events_days), p_now - make_interval(days => r.deliveries_days)
  from workspaces.workspaces w, delivery.retention_of(w.settings) r
  where w.workspace_id = p_workspace_id
$$;

-- The first thing that is wrong with the settings, as a sentence; null when they are good.
create or replace function delivery.retention_fault(p_settings jsonb) returns text
language plpgsql immutable parallel safe as $$
declare
  c_keys  constant text[] := array['events_days', 'deliveries_days', 'payloads_days', 'media_days', 'large_video_days', 'large_video_bytes'];
  v_given constant jsonb := p_settings -> 'retention';
  v_fault text;
  v       record;
begin
  if v_given is null then
    return null;
  elsif jsonb_typeof(v_given) <> 'object' then
    return 'retention must be an object';
  end if;

  select case
      when not key = any (c_keys) then format('retention has no setting "%s"; it has %s', key, array_to_string(c_keys, ', '))
      when jsonb_typeof(value) <> 'number' or value::text !~ '^[0-9]{1,15}$' then format('retention.%s must be a whole number', key)
      when key like '%\_days' and value::text::bigint not between 1 and 3650 then format('retention.%s must be from 1 to 3650 days', key)
      when value::text::bigint < 1 then format('retention.%s must be at least 1', key)
    end into v_fault
  from jsonb_each(v_given)
  order by 1 nulls last
  limit 1;
  if v_fault is not null then
    return v_fault;
  end if;

  select * into v from delivery.retention_of(p_settings);
  return case
    when v.payloads_days > v.deliveries_days then format(
      'raw payloads would be kept for %s days, longer than their deliveries (%s days)', v.payloads_days, v.deliveries_days)
    -- By a day at least, because events go by whole days.
    when v.events_days >= v.deliveries_days then format(
      'events would be kept for %s days: that must be less than the deliveries they tell of (%s days)',
      v.events_days, v.deliveries_days)
    when v.large_video_days > v.media_days then format(
      'large videos would be kept for %s days, longer than other media (%s days)', v.large_video_days, v.media_days)
  end;
end
$$;

create or replace function delivery.retention_check_workspace() returns trigger
language plpgsql as $$
declare
  v_fault   text := delivery.retention_fault(new.settings);
  v_days    int;
  v_channel record;
begin
  if v_fault is not null then
    raise exception '%', v_fault using errcode = 'check_violation', column = 'settings', constraint = 'retention_settings';
  end if;
  if tg_op = 'UPDATE' then
    select deliveries_days into v_days from delivery.retention_of(new.settings);
    select channel_id, coalesce(dedup_ttl_hours, 168) as hours into v_channel
    from delivery.channels
    where workspace_id = new.workspace_id and coalesce(dedup_ttl_hours, 168) > v_days * 24
    limit 1;
    if found then
      raise exception 'deliveries cannot be kept for only % days: channel % recognises repeats for % hours',
          v_days, v_channel.channel_id, v_channel.hours
        using errcode = 'check_violation', column = 'settings', constraint = 'retention_settings';
    end if;
    -- A shorter promise holds for what is stored already; a longer one does not prolong it.
    update delivery.payloads
    set expires_at = created_at + make_interval(days => r.payloads_days)
    from delivery.retention_of(new.settings) r
    where workspace_id = new.workspace_id and expires_at > created_at + make_interval(days => r.payloads_days);
  end if;
  return new;
end
$$;

create or replace trigger retention_check_workspace
  before insert or update of settings on workspaces.workspaces
  for each row execute function delivery.retention_check_workspace();

-- Repeats are recognised by the deliveries that are still there.
create or replace function delivery.retention_check_channel() returns trigger
language plpgsql as $$
declare
  v_hours int := coalesce(new.dedup_ttl_hours, 168);
  v_days  int;
begin
  -- The lock keeps the retention from being shortened at the same moment.
  select r.deliveries_days into v_days
  from workspaces.workspaces w, delivery.retention_of(w.settings) r
  where w.workspace_id = new.workspace_id
  for share of w;
  if v_hours > v_days * 24 then
    raise exception 'dedup_ttl_hours is % hours, but deliveries are kept for % days (% hours): a repeat could not be recognised that long',
        v_hours, v_days, v_days * 24
      using errcode = 'check_violation', column = 'dedup_ttl_hours', constraint = 'dedup_within_retention';
  end if;
  return new;
end
$$;

create or replace trigger retention_check_channel
  before insert or update of dedup_ttl_hours on delivery.channels
  for each row execute function delivery.retention_check_channel();

-- What a deleted workspace leaves in object storage is due at once.
create or replace function delivery.retention_end_workspace() returns trigger
language plpgsql as $$
begin
  update delivery.payloads set expires_at = '-infinity' where workspace_id = old.workspace_id;
  update delivery.media_origin set last_seen_at = '-infinity' where workspace_id = old.workspace_id;
  return null;
end
$$;

create or replace trigger retention_end_workspace
  after delete on workspaces.workspaces
  for each row execute function delivery.retention_end_workspace();
