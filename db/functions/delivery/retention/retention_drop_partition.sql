-- Dropping locks the whole trail for a moment, and while it waits for that lock every writer waits behind it: the caller sets
-- a short lock_timeout and tries again later. Runs with the rights of the tables' owner, and drops only partitions of days.
create or replace function delivery.retention_drop_partition(p_partition text, p_now timestamptz default now()) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if p_partition not in (select delivery.retention_event_partitions(p_now)) then
    return false;
  end if;
  execute format('drop table workspaces.%I', p_partition);
  return true;
end
$$;
