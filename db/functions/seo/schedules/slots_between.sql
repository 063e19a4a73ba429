-- The slots of a schedule after one instant and until another. A local time that a DST night leaves out is as far after midnight as
-- on other days, and one that comes twice is taken once, so that every date has every slot once.
create or replace function seo.slots_between(
  p_days text[], p_times text[], p_zone text, p_after timestamptz, p_until timestamptz
) returns table (local_date date, slot text, due_at timestamptz)
language sql stable as $$
  select d.day::date, t.slot, i.due_at
  from generate_series((p_after at time zone p_zone)::date - 1, (p_until at time zone p_zone)::date + 1, interval '1 day') d (day)
  cross join unnest(p_times) t (slot)
  cross join lateral (select (d.day::date + t.slot::time) at time zone p_zone) i (due_at)
  where (array['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'])[extract(isodow from d.day)::int] = any (p_days)
    and i.due_at > p_after and i.due_at <= p_until
  order by i.due_at, t.slot
$$;
