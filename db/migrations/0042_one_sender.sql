-- A sender outside Molva's dispatcher has the adapters now, and carries everything: nothing chooses plain posts any more.
drop function if exists delivery.claim_deliveries(uuid, text, text[], int, timestamptz);
drop function if exists delivery.start_sending(uuid, text, text[], int, timestamptz);
drop function if exists delivery.start_until(uuid, text, text[], int, timestamptz, timestamptz);
drop function if exists delivery.is_plain(delivery.deliveries);
