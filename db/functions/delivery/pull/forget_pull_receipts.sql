-- Deletes receipts that have expired and are not on their source's newest list: those on that list expire two days after it
-- at the earliest. The source remembers up to which date it has forgotten; an item dated in the future counts by the day it
-- came, or it would hide all that follow.
create or replace function delivery.forget_pull_receipts(p_now timestamptz default now()) returns bigint
language sql as $$
  with forgotten as (
    delete from delivery.pull_receipts r
    using delivery.pull_sources s
    where s.workspace_id = r.workspace_id and s.source_id = r.source_id
      and r.expires_at < p_now and r.expires_at < s.listed_at + interval '2 days'
    returning r.workspace_id, r.source_id, least(r.published_at, r.received_at) as dated, r.published_at
  ),
  remembered as (
    update delivery.pull_sources s
    set forgotten_up_to = greatest(s.forgotten_up_to, f.dated)
    from (select workspace_id, source_id, max(dated) as dated from forgotten
          where published_at is not null group by 1, 2) f
    where s.workspace_id = f.workspace_id and s.source_id = f.source_id
  )
  select count(*) from forgotten
$$;
