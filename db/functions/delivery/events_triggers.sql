-- Once per statement, so that a batch of deliveries costs one look at the webhooks.
create or replace trigger tell_webhooks
  after insert on workspaces.events
  referencing new table as fresh
  for each statement execute function delivery.tell_webhooks();
