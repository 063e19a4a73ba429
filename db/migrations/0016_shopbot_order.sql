-- A chat of the shop bot is read by the provider's time and number, then in the order in which messages were accepted
-- (`seq`), which is the only one that messages without a time of their own have.
alter table shopbot.bot_inbox add column provider_seq bigint;
drop index shopbot.bot_inbox_waiting;
create index bot_inbox_waiting on shopbot.bot_inbox (workspace_id, chat_id, ts, provider_seq, seq)
  where processed_at is null;

-- Replies leave in the order of their time. A chat's first one is found by bot_outbox_waiting.
create index bot_outbox_due on shopbot.bot_outbox (workspace_id, not_before, seq) where status in ('waiting', 'sending');

-- Of earlier signatures, which the functions of this release replace.
drop function if exists shopbot.receive(uuid, text, text, text, timestamptz, jsonb, jsonb, text, boolean, timestamptz);
drop function if exists shopbot.take_turns(int, int, timestamptz);
drop function if exists shopbot.end_replies(jsonb, timestamptz);
