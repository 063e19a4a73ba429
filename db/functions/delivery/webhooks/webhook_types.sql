-- The events that webhooks are told of, and their names outside.
create or replace function delivery.webhook_types() returns table (action text, type text)
language sql immutable as $$
  values ('sent', 'delivery.sent'),
         ('retry_scheduled', 'delivery.retrying'),
         ('failed_permanent', 'delivery.failed'),
         ('validation_failed', 'delivery.failed'),
         ('dead_letter', 'delivery.dead'),
         ('cancelled', 'delivery.cancelled'),
         ('stale_dropped', 'delivery.cancelled'),
         ('corrected', 'delivery.corrected'),
         ('withdrawn', 'delivery.withdrawn'),
         ('correction_failed', 'delivery.correction_failed'),
         ('channel_paused', 'channel.paused'),
         ('channel_disabled', 'channel.disabled'),
         ('channel_enabled', 'channel.enabled'),
         ('webhook_disabled', 'webhook.disabled')
$$;
