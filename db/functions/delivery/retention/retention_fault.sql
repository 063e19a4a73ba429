-- The first error in the settings, as a sentence; null if there is none.
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
    -- By at least a day, because events are deleted by whole days.
    when v.events_days >= v.deliveries_days then format(
      'events would be kept for %s days: that must be less than the deliveries they tell of (%s days)',
      v.events_days, v.deliveries_days)
    when v.large_video_days > v.media_days then format(
      'large videos would be kept for %s days, longer than other media (%s days)', v.large_video_days, v.media_days)
  end;
end
$$;
