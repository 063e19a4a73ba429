-- Waiting deliveries may continue when their workspace is active again or their credential has changed.
create or replace function delivery.wake_dispatcher() returns trigger
language plpgsql as $$
begin
  perform pg_notify('molva_deliveries', new.workspace_id::text);
  return null;
end
$$;
