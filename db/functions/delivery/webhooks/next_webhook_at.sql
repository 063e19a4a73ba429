-- When the next message is due, or a lease ends. What is due already and was not taken waits for a place, and needs no timer.
-- Uses webhook_messages_due.
create or replace function delivery.next_webhook_at(p_now timestamptz default now()) returns timestamptz
language sql stable as $$
  select min(m.due_at) from delivery.webhook_messages m where m.status = 'waiting' and m.due_at > p_now
$$;
