-- Phase two: moves claimed deliveries whose slot has come to `sending`, under the channel's lock, and returns everything that
-- the adapter needs. What may have changed since the claim is checked again: channel, workspace, group, window, hold, age.
-- The attempt is counted and its event written before the network is used.
create or replace function delivery.start_sending(
  p_workspace_id uuid,
  p_run_id       text,
  p_limit        int,
  p_now          timestamptz default now()
) returns setof delivery.started_delivery
language sql as $$
  select * from delivery.start_until(p_workspace_id, p_run_id, p_limit, p_now, p_now)
$$;
