-- Whether anything is still to be sent: while there is, its time will come without a word from anybody.
create or replace function shopbot.replies_wait() returns boolean
language sql stable as $$
  select exists (select from shopbot.bot_outbox where status in ('waiting', 'sending'))
$$;
