-- Releases what a dead process left behind, when its lease has expired.
create or replace function delivery.recover_leases(
  p_sending_lease interval default interval '300 seconds',
  p_claimed_lease interval default interval '300 seconds',
  p_now           timestamptz default now()
) returns setof delivery.recovered_delivery
language sql as $$
  select delivery.take_back_corrections(p_sending_lease, '{}', interval '0', p_now);
  select * from delivery.take_back(p_sending_lease, p_claimed_lease, '{}', interval '0', p_now);
$$;
