-- Old rows, a batch at a time: locks are short, what somebody holds is left for the next run, and nothing that is still on
-- its way is touched. Each function answers how many rows went and where the next batch begins, null at the end.
-- Starting there and not from the beginning again keeps a batch from reading past all that its predecessors deleted.

-- The smallest UUIDv7 of an instant: where its ids begin in an index.
create or replace function delivery.retention_first_id(p_at timestamptz) returns uuid
language sql immutable parallel safe as $$
  select rpad(lpad(to_hex((extract(epoch from p_at) * 1000)::bigint), 12, '0'), 32, '0')::uuid
$$;

-- Where a walk over ids of one workspace goes on after `p_after`: through those made before the cutoff, then through those
-- from the future. We make none of the latter; somebody who inserts rows by hand may.
create or replace function delivery.retention_stretch(
  p_cutoff timestamptz, p_after uuid, p_now timestamptz default now(), out from_id uuid, out to_id uuid, out next uuid)
language sql immutable parallel safe as $$
  select coalesce(p_after, '00000000-0000-0000-0000-000000000000'),
    case when is_old then old else 'ffffffff-ffff-ffff-ffff-ffffffffffff' end,
    case when is_old then delivery.retention_first_id(p_now + interval '1 day') end
  from delivery.retention_first_id(p_cutoff) as old, coalesce(p_after < old, true) as is_old
$$;

-- Finished deliveries, counted from when they finished. Walks the primary key: ids sort by time, and none finishes before
-- it was made.
create or replace function delivery.retention_deliveries(
  p_workspace_id uuid, p_after uuid, p_limit int, p_now timestamptz default now(), out removed int, out next uuid)
language plpgsql as $$
declare
  v_cutoff  constant timestamptz := (select deliveries from delivery.retention_cutoff(p_workspace_id, p_now));
  v_stretch record;
  v_seen    int;
begin
  select * into v_stretch from delivery.retention_stretch(v_cutoff, p_after, p_now);
  with seen as materialized (
    select d.delivery_id
    from delivery.deliveries d
    where d.workspace_id = p_workspace_id and d.delivery_id > v_stretch.from_id and d.delivery_id < v_stretch.to_id
    order by d.delivery_id
    limit p_limit
  ),
  due as materialized (
    select d.delivery_id
    from delivery.deliveries d
    where d.workspace_id = p_workspace_id and d.delivery_id in (select s.delivery_id from seen s)
      and d.status in ('sent', 'deduped', 'failed_permanent', 'dead') and d.updated_at < v_cutoff
    for update skip locked
  ),
  gone as (
    delete from delivery.deliveries d using due
    where d.workspace_id = p_workspace_id and d.delivery_id = due.delivery_id
    returning 1
  )
  select (select count(*) from gone), count(*), max(s.delivery_id::text)::uuid into removed, v_seen, next from seen s;
  if v_seen < p_limit then
    next := v_stretch.next;
  end if;
end
$$;

-- Messages that nobody sent again and that no delivery uses any more.
create or replace function delivery.retention_messages(
  p_workspace_id uuid, p_after uuid, p_limit int, p_now timestamptz default now(), out removed int, out next uuid)
language plpgsql as $$
declare
  v_cutoff  constant timestamptz := (select deliveries from delivery.retention_cutoff(p_workspace_id, p_now));
  v_stretch record;
  v_seen    int;
  v_due     uuid[];
begin
  select * into v_stretch from delivery.retention_stretch(v_cutoff, p_after, p_now);
  with seen as materialized (
    select m.message_id
    from delivery.messages m
    where m.workspace_id = p_workspace_id and m.message_id > v_stretch.from_id and m.message_id < v_stretch.to_id
    order by m.message_id
    limit p_limit
  ),
  due as (
    select m.message_id
    from delivery.messages m
    where m.workspace_id = p_workspace_id and m.message_id in (select s.message_id from seen s)
      and m.last_seen_at < v_cutoff
      and not exists (
        select from delivery.deliveries d where d.workspace_id = p_workspace_id and d.message_id = m.message_id)
    for update skip locked
  )
  select (select array_agg(due.message_id) from due), count(*), max(s.message_id::text)::uuid
  into v_due, v_seen, next from seen s;

  -- Asked again in a statement of its own: a delivery made just before the lock was got would go with its message.
  delete from delivery.messages m
  where m.workspace_id = p_workspace_id and m.message_id = any (v_due)
    and not exists (
      select from delivery.deliveries d where d.workspace_id = p_workspace_id and d.message_id = m.message_id);
  get diagnostics removed = row_count;
  if v_seen < p_limit then
    next := v_stretch.next;
  end if;
end
$$;

-- Records of ingest, as long as the deliveries they led to. Uses ingest_runs_by_time.
create or replace function delivery.retention_ingest_runs(
  p_workspace_id uuid, p_after timestamptz, p_limit int, p_now timestamptz default now(), out removed int, out next timestamptz)
language sql as $$
  with due as materialized (
    select r.run_id, r.started_at
    from delivery.ingest_runs r
    where r.workspace_id = p_workspace_id
      and r.started_at >= coalesce(p_after, '-infinity')
      and r.started_at < (select deliveries from delivery.retention_cutoff(p_workspace_id, p_now))
    order by r.started_at
    limit p_limit
    for update skip locked
  ),
  gone as (
    delete from delivery.ingest_runs r using due
    where r.workspace_id = p_workspace_id and r.run_id = due.run_id
    returning 1
  )
  select (select count(*) from gone)::int, case when count(*) = p_limit then max(started_at) end from due
$$;

-- Receipts that no repeat can meet any more. Uses ingress_receipts_expiry.
create or replace function delivery.retention_receipts(
  p_after timestamptz, p_limit int, p_now timestamptz default now(), out removed int, out next timestamptz)
language sql as $$
  with due as materialized (
    select r.workspace_id, r.receipt_id, r.expires_at
    from delivery.ingress_receipts r
    where r.expires_at >= coalesce(p_after, '-infinity') and r.expires_at < p_now
    order by r.expires_at
    limit p_limit
    for update skip locked
  ),
  gone as (
    delete from delivery.ingress_receipts r using due
    where r.workspace_id = due.workspace_id and r.receipt_id = due.receipt_id
    returning 1
  )
  select (select count(*) from gone)::int, case when count(*) = p_limit then max(expires_at) end from due
$$;
