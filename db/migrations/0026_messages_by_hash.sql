-- A delivery's message is only ever looked up as itself, never in an order. A hash finds it with less work than a tree, and the
-- four entries that a delivery gets on its way stand in one place with those of the same post.
drop index delivery.deliveries_by_message;
create index deliveries_by_message on delivery.deliveries using hash (message_id);
