-- p_wall itself if the window is open then; otherwise the next time to check: a later start on that day, or midnight. Times
-- are compared as text, which sorts correctly because all have the form HH:MM.
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
