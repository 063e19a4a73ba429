-- A delivery on its way gets a new entry in every index with each step. Its channel's history needs only how it ended: what
-- is still on its way is found by deliveries_inflight. "Is true" keeps the index for those who ask in the same words: without
-- statistics it would look good to anybody who asks for one of these states, and he would read all of the channel's history.
drop index delivery.deliveries_by_channel;
create index deliveries_ended on delivery.deliveries (workspace_id, channel_id, delivery_id)
  where (status in ('sent', 'deduped', 'failed_permanent', 'dead')) is true;
