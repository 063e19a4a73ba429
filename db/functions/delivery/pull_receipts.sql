-- What a source has shown already, so that nothing is taken twice and nothing is missed.

-- The name under which an item is remembered: its own id, shortened when it is very long; its content when it has none.
create or replace function delivery.pull_ref(p_item jsonb) returns text
language sql immutable parallel safe as $$
  select coalesce(delivery.short_ref(p_item ->> 'source_ref'),
                  'content:' || delivery.content_hash(delivery.normalize(p_item)))
$$;

create or replace function delivery.short_ref(p_ref text) returns text
language sql immutable parallel safe as $$
  select case when octet_length(btrim(p_ref)) > 1024
    then 'sha256:' || encode(sha256(convert_to(btrim(p_ref), 'UTF8')), 'hex')
    else nullif(btrim(p_ref), '') end
$$;

-- Which of these a source shows for the first time.
create or replace function delivery.unseen_refs(p_workspace_id uuid, p_source_id text, p_refs text[]) returns setof text
language sql stable as $$
  select ref from unnest(p_refs) as ref
  where not exists (
    select from delivery.pull_receipts r
    where r.workspace_id = p_workspace_id and r.source_id = p_source_id and r.source_ref = delivery.short_ref(ref))
$$;

-- Items that a source still lists keep their receipts: another three days, written at most once a day.
create or replace function delivery.renew_pull_receipts(
  p_workspace_id uuid, p_source_id text, p_refs text[], p_now timestamptz default now()
) returns void
language sql as $$
  update delivery.pull_receipts
  set expires_at = p_now + interval '3 days'
  where workspace_id = p_workspace_id and source_id = p_source_id
    and source_ref in (select delivery.short_ref(ref) from unnest(p_refs) as ref)
    and expires_at < p_now + interval '2 days'
$$;

-- Forgets what is past its time and off its source's newest list: whatever stood on that list expires two days after it
-- at the earliest. The source remembers how far in time it has forgotten; an item dated in the future counts by the day
-- it came, or it would hide all that follows.
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
