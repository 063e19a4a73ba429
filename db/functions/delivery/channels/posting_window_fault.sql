-- The error in a window, in one sentence that names the place; null if there is none.
create or replace function delivery.posting_window_fault(p_window jsonb) returns text
language plpgsql immutable parallel safe as $$
declare
  c_days constant text[] := array['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
  v_name  text;
  v_value jsonb;
  v_fault text;
begin
  if p_window is null then
    return null;
  elsif jsonb_typeof(p_window) <> 'object' then
    return 'The posting window must be an object with the days "mon" to "sun" and, if needed, "holidays".';
  end if;
  for v_name, v_value in select key, value from jsonb_each(p_window - 'holidays') loop
    if v_name <> all (c_days) then
      return format('The posting window has an unknown day %s: days are "mon" to "sun", dates go under "holidays".',
                    to_json(v_name));
    end if;
    v_fault := delivery.intervals_fault(v_name, v_value);
    if v_fault is not null then
      return v_fault;
    end if;
  end loop;

  if p_window ? 'holidays' and jsonb_typeof(p_window -> 'holidays') <> 'object' then
    return 'holidays must be an object from dates to intervals, such as {"2027-01-01": []}.';
  end if;
  for v_name, v_value in select key, value from jsonb_each(p_window -> 'holidays') loop
    if not delivery.is_date(v_name) then
      return format('holidays: %s is not a date: dates have the form "2027-01-31".', to_json(v_name));
    end if;
    v_fault := delivery.intervals_fault('holidays, ' || v_name, v_value);
    if v_fault is not null then
      return v_fault;
    end if;
  end loop;
  -- A channel that should stay closed is disabled or paused; a window that never opens is a mistake.
  return case
    when not jsonb_path_exists(p_window - 'holidays', '$.*[*]') and not jsonb_path_exists(p_window, '$.holidays.*[*]')
      then 'The posting window never opens: give at least one interval, such as {"mon": [["09:00", "18:00"]]}.'
  end;
end
$$;

create or replace function delivery.intervals_fault(p_place text, p_intervals jsonb) returns text
language plpgsql immutable parallel safe as $$
declare
  v_interval jsonb;
  v_number   int;
begin
  if jsonb_typeof(p_intervals) <> 'array' then
    return format('%s: the day must be an array of intervals, such as [["09:00", "18:00"]]; [] closes it.', p_place);
  end if;
  for v_interval, v_number in select * from jsonb_array_elements(p_intervals) with ordinality loop
    if jsonb_typeof(v_interval) <> 'array' or jsonb_array_length(v_interval) <> 2 then
      return format('%s, interval %s: an interval is a start and an end, such as ["09:00", "18:00"].', p_place, v_number);
    elsif jsonb_typeof(v_interval -> 0) <> 'string' or v_interval ->> 0 !~ '^([01][0-9]|2[0-3]):[0-5][0-9]$' then
      return format('%s, interval %s: %s is not a start: starts go from "00:00" to "23:59".',
                    p_place, v_number, v_interval -> 0);
    elsif jsonb_typeof(v_interval -> 1) <> 'string' or v_interval ->> 1 !~ '^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$' then
      return format('%s, interval %s: %s is not an end: ends go from "00:00" to "24:00".',
                    p_place, v_number, v_interval -> 1);
    elsif v_interval -> 0 = v_interval -> 1 then
      return format('%s, interval %s: it ends when it starts; a whole day is ["00:00", "24:00"].', p_place, v_number);
    end if;
  end loop;
  return null;
end
$$;

create or replace function delivery.is_date(p_text text) returns boolean
language plpgsql immutable strict parallel safe as $$
begin
  if p_text !~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' then
    return false;
  end if;
  perform make_date(left(p_text, 4)::int, substr(p_text, 6, 2)::int, right(p_text, 2)::int);
  return true;
exception when datetime_field_overflow then
  return false;
end
$$;
