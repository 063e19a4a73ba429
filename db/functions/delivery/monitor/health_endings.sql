-- The events that say how a delivery ended.
create or replace function delivery.health_endings() returns table (status text, actions text[])
language sql immutable as $$
  values ('sent', array['sent']),
         ('deduped', array['dedup_suppressed']),
         ('failed_permanent', array['failed_permanent', 'validation_failed']),
         ('dead', array['dead_letter'])
$$;
