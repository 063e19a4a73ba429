-- Gives a waiting slot to a process for some time, the next in turn; or one whose process is gone. No row if there is none, or if
-- `p_most` of them are generated already in the whole system. Uses autopublications_in_turn, autopublications_under_way.
create or replace function seo.claim_autopublication(
  p_token uuid, p_lease interval, p_most int, p_now timestamptz default now()
) returns setof seo.autopublications
language plpgsql as $$
begin
  -- Counted and taken by one process at a time.
  perform pg_advisory_xact_lock(hashtextextended('seo.claim_autopublication', 0));
  return query
    update seo.autopublications a
    set token = p_token, leased_until = p_now + p_lease
    where (a.workspace_id, a.schedule_id, a.local_date, a.slot) = (
      select w.workspace_id, w.schedule_id, w.local_date, w.slot from seo.autopublications w
      where w.state = 'generating' and w.leased_until < p_now
      order by w.leased_until limit 1)
    returning a.*;
  if found or (select count(*) from seo.autopublications a where a.state = 'generating') >= p_most then
    return;
  end if;
  return query
    update seo.autopublications a
    set state = 'generating', token = p_token, leased_until = p_now + p_lease, started_at = coalesce(a.started_at, p_now)
    where (a.workspace_id, a.schedule_id, a.local_date, a.slot) = (
      select w.workspace_id, w.schedule_id, w.local_date, w.slot from seo.autopublications w
      where w.state = 'waiting' and w.not_before <= p_now
      order by w.turn, w.due_at limit 1
      for update skip locked)
    returning a.*;
end
$$;

-- Renews the time of the process that works on a slot. False if it is another's.
create or replace function seo.keep_autopublication(p_token uuid, p_lease interval, p_now timestamptz default now()) returns boolean
language plpgsql as $$
begin
  update seo.autopublications a set leased_until = p_now + p_lease where a.state = 'generating' and a.token = p_token;
  return found;
end
$$;
