-- Replaced by functions with more arguments.
drop function if exists delivery.enqueue_messages_and_deliveries(uuid, uuid, text, jsonb, timestamptz, jsonb, text);
