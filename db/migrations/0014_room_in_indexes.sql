-- A delivery is written four times on its way, and each time every index gets an entry. New pages of the indexes that
-- keep the place of a delivery leave room for all four, so that nothing has to be split or tidied up while it is under way.
alter index delivery.deliveries_pkey set (fillfactor = 25, deduplicate_items = off);
alter index delivery.deliveries_by_message set (fillfactor = 25);
alter index delivery.deliveries_by_channel set (fillfactor = 25, deduplicate_items = off);
-- Those that hold only what waits or is under way are emptied as fast as they are filled: merging equal keys is work for
-- nothing.
alter index delivery.deliveries_due set (deduplicate_items = off);
alter index delivery.deliveries_inflight set (fillfactor = 50, deduplicate_items = off);
alter index delivery.deliveries_waiting set (deduplicate_items = off);
alter index delivery.deliveries_claimed set (deduplicate_items = off);
