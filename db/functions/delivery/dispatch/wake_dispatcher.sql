-- What waits may go on when its workspace is active again or its credential is another one.
create or replace function delivery.wake_dispatcher() returns trigger
language plpgsql as $$
begin
  perform pg_notify('molva_deliveries', new.workspace_id::text);
  return null;
end
$$;
