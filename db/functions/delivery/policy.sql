-- How failures are dealt with: workspaces.settings -> 'policy', over these defaults. A channel may be more or less patient
-- with refusals than its workspace: see channel_policy.
create or replace function delivery.policy_of(p_settings jsonb)
returns table (
  max_attempts int, backoff_base_seconds double precision, backoff_max_seconds double precision,
  pause_on_permanent_seconds int, disable_after_permanent_streak int)
language sql immutable parallel safe as $$
  select r.*
  from jsonb_to_record('{
      "max_attempts": 5, "backoff_base_seconds": 2, "backoff_max_seconds": 600,
      "pause_on_permanent_seconds": 3600, "disable_after_permanent_streak": 3
    }'::jsonb || coalesce(p_settings -> 'policy', '{}')) as r (
    max_attempts int, backoff_base_seconds double precision, backoff_max_seconds double precision,
    pause_on_permanent_seconds int, disable_after_permanent_streak int)
$$;

create or replace function delivery.workspace_policy(p_workspace_id uuid)
returns table (
  max_attempts int, backoff_base_seconds double precision, backoff_max_seconds double precision,
  pause_on_permanent_seconds int, disable_after_permanent_streak int)
language sql stable as $$
  select p.* from workspaces.workspaces w, delivery.policy_of(w.settings) p where w.workspace_id = p_workspace_id
$$;

-- What holds for one channel.
create or replace function delivery.channel_policy(p_workspace_id uuid, p_channel_id uuid)
returns table (
  max_attempts int, backoff_base_seconds double precision, backoff_max_seconds double precision,
  pause_on_permanent_seconds int, disable_after_permanent_streak int)
language sql stable as $$
  select p.max_attempts, p.backoff_base_seconds, p.backoff_max_seconds,
    coalesce(c.pause_on_permanent_seconds, p.pause_on_permanent_seconds),
    coalesce(c.disable_after_permanent_streak, p.disable_after_permanent_streak)
  from delivery.channels c
  cross join delivery.workspace_policy(p_workspace_id) p
  where c.workspace_id = p_workspace_id and c.channel_id = p_channel_id
$$;

-- What each setting may be.
create or replace function delivery.policy_bounds() returns table (key text, whole boolean, lowest numeric, highest int)
language sql immutable parallel safe as $$
  values ('max_attempts', true, 1, 100),
         ('backoff_base_seconds', false, 0.1, 3600),
         ('backoff_max_seconds', false, 0.1, 86400),
         ('pause_on_permanent_seconds', true, 60, 604800),
         ('disable_after_permanent_streak', true, 1, 1000)
$$;

-- The first thing that is wrong with the settings, as a sentence; null when they are good.
create or replace function delivery.policy_fault(p_settings jsonb) returns text
language plpgsql immutable parallel safe as $$
declare
  v_given constant jsonb := p_settings -> 'policy';
  v_fault text;
  v       record;
begin
  -- Read by every post that comes in.
  if jsonb_typeof(p_settings -> 'deduped_rows') not in ('boolean', 'null') then
    return 'deduped_rows must be true or false';
  end if;
  if v_given is null then
    return null;
  elsif jsonb_typeof(v_given) <> 'object' then
    return 'policy must be an object';
  end if;

  select case
      when b.key is null then format('policy has no setting "%s"; it has %s', g.key,
        (select string_agg(a.key, ', ') from delivery.policy_bounds() a))
      when jsonb_typeof(g.value) <> 'number' then format('policy.%s must be a number', g.key)
      when b.whole and g.value::text !~ '^[0-9]+$' then format('policy.%s must be a whole number', g.key)
      when g.value::text::numeric not between b.lowest and b.highest
        then format('policy.%s must be from %s to %s', g.key, b.lowest, b.highest)
    end into v_fault
  from jsonb_each(v_given) g
  left join delivery.policy_bounds() b using (key)
  order by 1 nulls last
  limit 1;
  if v_fault is not null then
    return v_fault;
  end if;

  select * into v from delivery.policy_of(p_settings);
  return case when v.backoff_max_seconds < v.backoff_base_seconds then format(
    'policy.backoff_max_seconds (%s) must not be less than backoff_base_seconds (%s)',
    v.backoff_max_seconds, v.backoff_base_seconds) end;
end
$$;

create or replace function delivery.policy_check_workspace() returns trigger
language plpgsql as $$
declare
  v_fault text := delivery.policy_fault(new.settings);
begin
  if v_fault is not null then
    raise exception '%', v_fault using errcode = 'check_violation', column = 'settings', constraint = 'policy_settings';
  end if;
  return new;
end
$$;

create or replace trigger policy_check_workspace
  before insert or update of settings on workspaces.workspaces
  for each row execute function delivery.policy_check_workspace();
