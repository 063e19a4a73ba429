-- Where a scan over ids of one workspace continues after `p_after`: through ids made before the cutoff, then through ids from
-- the future. Molva makes none of the latter; somebody who inserts rows by hand may.
create or replace function delivery.retention_stretch(
  p_cutoff timestamptz, p_after uuid, p_now timestamptz default now(), out from_id uuid, out to_id uuid, out next uuid)
language sql immutable parallel safe as $$
  select coalesce(p_after, '00000000-0000-0000-0000-000000000000'),
    case when is_old then old else 'ffffffff-ffff-ffff-ffff-ffffffffffff' end,
    case when is_old then delivery.retention_first_id(p_now + interval '1 day') end
  from delivery.retention_first_id(p_cutoff) as old, coalesce(p_after < old, true) as is_old
$$;

-- The smallest UUIDv7 of an instant: where its ids begin in an index.
create or replace function delivery.retention_first_id(p_at timestamptz) returns uuid
language sql immutable parallel safe as $$
  select rpad(lpad(to_hex((extract(epoch from p_at) * 1000)::bigint), 12, '0'), 32, '0')::uuid
$$;
