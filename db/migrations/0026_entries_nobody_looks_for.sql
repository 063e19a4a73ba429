-- A delivery's message is only ever looked up as itself, never in an order. A hash finds it with less work than a tree, and the
-- four entries that a delivery gets on its way stand in one place with those of the same post.
drop index delivery.deliveries_by_message;
create index deliveries_by_message on delivery.deliveries using hash (message_id);

-- Almost every event went well: whoever asks for those reads them by time. By result one looks for errors.
drop index delivery.events_by_result;
create index events_by_result on delivery.events (workspace_id, result, ts desc) where result = 'error';
