-- Sends again what is dead, or failed for a fault of its own; a channel's or a platform's refusal is mended there.
-- Grants one more attempt. An outcome that was left to a person is decided by this very act, and a post that was dropped
-- for its age counts its age from now on. A post that has come to the channel by another delivery meanwhile stays where
-- it is; the message's lock is the one under which enqueue judges the same.
create or replace function delivery.requeue(
  p_workspace_id uuid, p_delivery_ids uuid[], p_operator text, p_reason text, p_now timestamptz default now()
) returns table (delivery_id uuid, was text, status text, refusal text)
language sql as $$
  select * from delivery.send_again(p_workspace_id, p_delivery_ids, false, p_operator, p_reason, p_now)
$$;
