-- The first error in the settings, as a sentence; null if there is none.
create or replace function delivery.policy_fault(p_settings jsonb) returns text
language plpgsql immutable parallel safe as $$
declare
  v_given constant jsonb := p_settings -> 'policy';
  v_fault text;
  v       record;
begin
  -- Every incoming post reads it.
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

-- The allowed range of each setting.
create or replace function delivery.policy_bounds() returns table (key text, whole boolean, lowest numeric, highest int)
language sql immutable parallel safe as $$
  values ('max_attempts', true, 1, 100),
         ('backoff_base_seconds', false, 0.1, 3600),
         ('backoff_max_seconds', false, 0.1, 86400),
         ('pause_on_permanent_seconds', true, 60, 604800),
         ('disable_after_permanent_streak', true, 1, 1000)
$$;
