-- Repeats are recognised by the deliveries that are still stored, so the window must not exceed their retention.
create or replace function delivery.retention_check_channel() returns trigger
language plpgsql as $$
declare
  v_hours int := coalesce(new.dedup_ttl_hours, 168);
  v_days  int;
begin
  -- The lock prevents a concurrent shortening of the retention.
  select r.deliveries_days into v_days
  from workspaces.workspaces w, delivery.retention_of(w.settings) r
  where w.workspace_id = new.workspace_id
  for share of w;
  if v_hours > v_days * 24 then
    raise exception 'dedup_ttl_hours is % hours, but deliveries are kept for % days (% hours): a repeat could not be recognised that long',
        v_hours, v_days, v_days * 24
      using errcode = 'check_violation', column = 'dedup_ttl_hours', constraint = 'dedup_within_retention';
  end if;
  return new;
end
$$;
