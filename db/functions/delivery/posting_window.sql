-- When a channel posts. A window is read on the wall clock of the channel's zone:
--   {"mon": [["09:00", "12:00"], ["18:00", "02:00"]], …, "holidays": {"2027-01-01": [], "2027-05-09": [["10:00", "14:00"]]}}
-- An interval holds its start and not its end; one that ends before it starts runs past midnight and belongs to the day it
-- starts. A day that is not named is closed; a date in holidays replaces that day's intervals.
--
-- An instant is open when the wall clock then shows a time inside an interval. So an hour that the clock skips in spring
-- is never open, and an hour that it shows twice in autumn is open twice.

create or replace function delivery.is_open(p_window jsonb, p_timezone text, p_at timestamptz) returns boolean
language sql stable parallel safe as $$
  select delivery.window_step(p_window, p_at at time zone p_timezone) = p_at at time zone p_timezone
$$;

-- The earliest open instant at or after p_at; null when there is none within 366 days.
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
    -- The instant of v_step if the clock runs evenly until then. Through UTC, because adding days to an instant would
    -- follow the session's zone.
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

-- When a post for this channel may go out at the earliest: p_at itself unless the channel keeps a window.
create or replace function delivery.channel_opens_at(p_channel delivery.channels, p_workspace_timezone text, p_at timestamptz)
returns timestamptz
language sql stable parallel safe as $$
  select case p_channel.window_mode
    when 'immediate' then p_at
    else delivery.next_open(p_channel.posting_window, coalesce(p_channel.timezone, p_workspace_timezone), p_at)
  end
$$;

-- p_wall itself when the window is open then; otherwise the next time to look: a later start on that day, or midnight.
-- Times are compared as text, which sorts as they do: all have the form HH:MM.
create or replace function delivery.window_step(p_window jsonb, p_wall timestamp) returns timestamp
language plpgsql stable strict parallel safe as $$
declare
  v_time  text collate "C" := to_char(p_wall, 'HH24:MI');
  v_next  text collate "C" := '24:00';
  v_day   jsonb := delivery.day_intervals(p_window, p_wall);
  v_start text collate "C";
  v_end   text collate "C";
begin
  for i in 0 .. jsonb_array_length(v_day) - 1 loop
    v_start := v_day -> i ->> 0;
    v_end := v_day -> i ->> 1;
    if v_start > v_time then
      v_next := least(v_next, v_start);
    elsif v_time < v_end or v_end < v_start then
      return p_wall;
    end if;
  end loop;

  v_day := delivery.day_intervals(p_window, p_wall - interval '1 day');
  for i in 0 .. jsonb_array_length(v_day) - 1 loop
    v_end := v_day -> i ->> 1;
    if v_time < v_end and v_end < v_day -> i ->> 0 then
      return p_wall;
    end if;
  end loop;

  return date_trunc('day', p_wall) + v_next::interval;
end
$$;

create or replace function delivery.day_intervals(p_window jsonb, p_day timestamp) returns jsonb
language sql stable parallel safe as $$
  select coalesce(p_window #> array['holidays', to_char(p_day, 'YYYY-MM-DD')], p_window -> to_char(p_day, 'dy'), '[]')
$$;

-- The first instant after p_from at which the zone's clock is no longer as far from UTC as at p_from. It is known to lie
-- in (p_from, p_till]; clocks change at whole seconds.
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
