-- Sends again what is dead, or failed because of its own content; a refusal of a channel or platform has to be solved there.
-- Grants one more attempt. For an unknown outcome that was left to a person, this call is the decision, and the age of a post
-- that was dropped for its age is counted from now on. A post that the channel got by another delivery in the meantime is not
-- sent; the message's lock is the one under which enqueue decides the same.
create or replace function delivery.requeue(
  p_workspace_id uuid, p_delivery_ids uuid[], p_operator text, p_reason text, p_now timestamptz default now()
) returns table (delivery_id uuid, was text, status text, refusal text)
language sql as $$
  select * from delivery.send_again(p_workspace_id, p_delivery_ids, false, p_operator, p_reason, p_now)
$$;
