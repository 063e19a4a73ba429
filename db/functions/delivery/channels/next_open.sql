-- The earliest open instant at or after p_at; null if there is none within 366 days.
create or replace function delivery.next_open(p_window jsonb, p_timezone text, p_at timestamptz) returns timestamptz
language plpgsql stable strict parallel safe as $$
declare
  v_last timestamptz := p_at + interval '8784 hours';
  v_at   timestamptz := p_at;
  v_wall timestamp;
  v_step timestamp;
  v_next timestamptz;
begin
  if not isfinite(p_at) then
    return null;
  end if;
  loop
    v_wall := v_at at time zone p_timezone;
    v_step := delivery.window_step(p_window, v_wall);
    if v_step = v_wall then
      return v_at;
    end if;
    -- The instant of v_step if the clock is not changed until then. Calculated in UTC, because adding days to an instant
    -- would use the session's time zone.
    v_next := (v_step - (v_wall - v_at at time zone 'UTC')) at time zone 'UTC';
    if v_next at time zone p_timezone <> v_step then
      v_next := delivery.clock_change(p_timezone, v_at, v_next);
    end if;
    if v_next > v_last then
      return null;
    end if;
    v_at := v_next;
  end loop;
end
$$;

-- The first instant after p_from at which the zone's offset from UTC differs from that at p_from. It is known to be in
-- (p_from, p_till]; clocks change at whole seconds.
create or replace function delivery.clock_change(p_timezone text, p_from timestamptz, p_till timestamptz) returns timestamptz
language plpgsql stable strict parallel safe as $$
declare
  v_offset interval := p_from at time zone p_timezone - p_from at time zone 'UTC';
  v_before bigint := floor(extract(epoch from p_from));
  v_after  bigint := floor(extract(epoch from p_till));
  v_middle timestamptz;
begin
  while v_after - v_before > 1 loop
    v_middle := to_timestamp((v_before + v_after) / 2);
    if v_middle at time zone p_timezone - v_middle at time zone 'UTC' = v_offset then
      v_before := (v_before + v_after) / 2;
    else
      v_after := (v_before + v_after) / 2;
    end if;
  end loop;
  return to_timestamp(v_after);
end
$$;
