-- A customer who called a person and waits: since when, and how often people were reminded. An answer, a return to the bot and
-- the end of the call clear it.
alter table shopbot.bot_chats
  add column called_at timestamptz,
  add column reminders int not null default 0 check (reminders >= 0);
create index bot_chats_called on shopbot.bot_chats (called_at) where called_at is not null;

-- What the bot monitor looks at and what it finds too much.
alter table shopbot.bots
  add column monitor_minutes       int not null default 15 check (monitor_minutes between 1 and 1440),
  add column monitor_errors        int not null default 10 check (monitor_errors >= 0),
  add column monitor_fallback_pct  numeric not null default 50 check (monitor_fallback_pct between 0 and 100),
  -- One question without a rule is a hundred per cent and says nothing.
  add column monitor_min_questions int not null default 5 check (monitor_min_questions >= 1);

-- `reason`: words that are no question.
alter table shopbot.bot_rules drop constraint bot_rules_accepts_check;
alter table shopbot.bot_rules
  add constraint bot_rules_accepts_check check (accepts in ('text', 'reason', 'order_number', 'phone', 'email'));
