-- The shop bot: what customers write to it, by which rules it answers, and what it answered.
-- A workspace has one such bot. Functions that use these tables live in db/functions/shopbot.

create schema shopbot;
comment on schema shopbot is 'A bot that answers customers in MAX by rules';

-- The bot -----------------------------------------------------------------------------------------------------------

-- `auth_ref` leads to its token, `endpoint_id` is the door its updates come through; `settings` is the head of the rule file.
create table shopbot.bots (
  workspace_id       uuid primary key references workspaces.workspaces on delete cascade,
  enabled            boolean not null default true,
  auth_ref           text not null check (auth_ref <> ''),
  endpoint_id        uuid not null,
  operators_chat_id  text check (operators_chat_id <> ''),
  settings           jsonb not null default '{}' check (jsonb_typeof(settings) = 'object'),
  -- Grows with every change of rules and settings, so that a process knows when what it has read is old.
  revision           bigint not null default 1,
  -- What the provider takes; 0 lifts it.
  rate_rps           numeric not null default 25 check (rate_rps >= 0),
  chat_rps           numeric not null default 2 check (chat_rps >= 0),
  -- Whether we see to it that updates come; else the webhook is subscribed by hand.
  keep_subscribed    boolean not null default false,
  webhook_url        text,
  subscribed_at      timestamptz,
  checked_at         timestamptz,
  subscription_error text,
  -- What the bot monitor looks at and what it finds too much.
  monitor_minutes       int not null default 15 check (monitor_minutes between 1 and 1440),
  monitor_errors        int not null default 10 check (monitor_errors >= 0),
  monitor_fallback_pct  numeric not null default 50 check (monitor_fallback_pct between 0 and 100),
  -- One question without a rule is a hundred per cent and says nothing.
  monitor_min_questions int not null default 5 check (monitor_min_questions >= 1),
  created_at         timestamptz not null default now(),
  updated_at         timestamptz not null default now(),
  foreign key (workspace_id, endpoint_id) references delivery.workspace_endpoints
);

-- How many replies may leave at once; apart from the bot because it changes with every reply.
create table shopbot.bot_buckets (
  workspace_id uuid primary key references shopbot.bots on delete cascade,
  tokens       double precision not null,
  refilled_at  timestamptz not null
) with (fillfactor = 50);

-- What came in ------------------------------------------------------------------------------------------------------

-- One row per chat: whoever answers a chat holds its row, which keeps the order within it.
create table shopbot.bot_chats (
  workspace_id  uuid not null references workspaces.workspaces on delete cascade,
  chat_id       text not null check (chat_id <> ''),
  user_id       text,
  user_name     text,
  -- The chat's own rate: how many messages it may still send before it is asked to slow down.
  tokens        double precision,
  refilled_at   timestamptz,
  flooded       boolean not null default false,
  -- A customer who called a person and waits: since when, and how often people were reminded. An answer, a return to the bot
  -- and the end of the call clear it.
  called_at     timestamptz,
  reminders     int not null default 0 check (reminders >= 0),
  first_seen_at timestamptz not null default now(),
  last_seen_at  timestamptz not null default now(),
  primary key (workspace_id, chat_id)
) with (fillfactor = 70);
create index bot_chats_by_time on shopbot.bot_chats (workspace_id, last_seen_at desc, chat_id);
create index bot_chats_called on shopbot.bot_chats (called_at) where called_at is not null;

-- `body` is the update as the engine reads it, `payload` as it came. A chat is read by the provider's time and number, then in
-- the order in which messages were accepted (`seq`), which is the only one that messages without a time of their own have.
create table shopbot.bot_inbox (
  workspace_id        uuid not null references workspaces.workspaces on delete cascade,
  provider            text not null check (provider <> ''),
  chat_id             text not null check (chat_id <> ''),
  provider_message_id text not null check (provider_message_id <> ''),
  ts                  timestamptz not null,
  provider_seq        bigint,
  seq                 bigint generated always as identity,
  body                jsonb not null check (jsonb_typeof(body) = 'object'),
  payload             jsonb not null,
  trace_id            text not null,
  received_at         timestamptz not null default now(),
  processed_at        timestamptz,
  failures            int not null default 0,
  primary key (workspace_id, provider, chat_id, provider_message_id)
);
create index bot_inbox_by_time on shopbot.bot_inbox (workspace_id, received_at);
create index bot_inbox_waiting on shopbot.bot_inbox (workspace_id, chat_id, ts, provider_seq, seq)
  where processed_at is null;

-- What goes out -----------------------------------------------------------------------------------------------------

-- `outbox_id` is the idempotency key. `doubtful`: an earlier attempt may have arrived, so the chat is read before another.
create table shopbot.bot_outbox (
  workspace_id                uuid not null references workspaces.workspaces on delete cascade,
  chat_id                     text not null check (chat_id <> ''),
  inbound_provider_message_id text not null,
  outbox_id                   uuid not null default molva.uuidv7(),
  seq                         bigint generated always as identity,
  kind                        text not null check (kind in ('reply', 'relay', 'handover', 'operator', 'notice')),
  text                        text not null,
  compiled                    jsonb,
  callback_id                 text,
  notification                text,
  -- Of which customer a message in the operators' chat speaks.
  about_chat_id               text,
  -- Which person wrote it, where a person did.
  author                      text,
  response_hash               text not null,
  trace_id                    text not null,
  status                      text not null default 'waiting' check (status in ('waiting', 'sending', 'sent', 'failed')),
  attempt                     int not null default 0 check (attempt >= 0),
  doubtful                    boolean not null default false,
  not_before                  timestamptz not null default now(),
  first_sent_at               timestamptz,
  sending_started_at          timestamptz,
  sent_at                     timestamptz,
  provider_message_id         text,
  last_error                  jsonb,
  created_at                  timestamptz not null default now(),
  primary key (workspace_id, chat_id, inbound_provider_message_id),
  constraint sent_has_time check ((status = 'sent') = (sent_at is not null)),
  constraint sending_has_start check ((status = 'sending') = (sending_started_at is not null))
) with (fillfactor = 70);
create index bot_outbox_waiting on shopbot.bot_outbox (workspace_id, chat_id, seq) where status in ('waiting', 'sending');
create index bot_outbox_sent on shopbot.bot_outbox (workspace_id, chat_id, sent_at desc) where status = 'sent';
create index bot_outbox_by_provider_id on shopbot.bot_outbox (workspace_id, chat_id, provider_message_id)
  where provider_message_id is not null;
create index bot_outbox_by_time on shopbot.bot_outbox (workspace_id, created_at);
-- Replies leave in the order of their time. A chat's first one is found by bot_outbox_waiting.
create index bot_outbox_due on shopbot.bot_outbox (workspace_id, not_before, seq) where status in ('waiting', 'sending');

-- Rules -------------------------------------------------------------------------------------------------------------

-- Columns after `next_state` are ours: in which state a rule speaks, what it takes for an answer and keeps, what it offers.
create table shopbot.bot_rules (
  workspace_id      uuid not null references workspaces.workspaces on delete cascade,
  rule_id           text not null check (rule_id ~ '^[a-z0-9][a-z0-9_-]{0,63}$'),
  version           int not null check (version >= 1),
  enabled           boolean not null default false,
  intent            text not null check (intent <> ''),
  pattern           jsonb not null,
  priority          int not null default 100,
  max_turns         int not null default 5 check (max_turns >= 1),
  response_template text not null check (btrim(response_template) <> ''),
  next_state        text check (next_state ~ '^[a-z0-9][a-z0-9_-]{0,63}$'),
  state             text check (state ~ '^[a-z0-9][a-z0-9_-]{0,63}$' and state not in ('default', 'operator')),
  event             text check (event in ('start', 'attachment')),
  interrupts        boolean not null default false,
  -- `reason`: words that are no question.
  accepts           text check (accepts in ('text', 'reason', 'order_number', 'phone', 'email')),
  save_as           text check (save_as ~ '^[a-z][a-z0-9_]{0,31}$'),
  refusal_template  text check (btrim(refusal_template) <> ''),
  action            text check (action in ('escalate')),
  buttons           jsonb not null default '[]' check (jsonb_typeof(buttons) = 'array'),
  media             jsonb not null default '[]' check (jsonb_typeof(media) = 'array'),
  content_hash      text not null,
  created_at        timestamptz not null default now(),
  primary key (workspace_id, rule_id, version),
  constraint pattern_is_keywords check (
    jsonb_typeof(pattern) = 'object' and pattern ->> 'mode' = 'contains' and jsonb_typeof(pattern -> 'keywords') = 'array'
    and not jsonb_path_exists(pattern, '$.keywords[*] ? (@.type() != "string" || @ like_regex "^\\s*$")'))
);
-- One active version of a rule.
create unique index bot_rules_active on shopbot.bot_rules (workspace_id, rule_id) where enabled;
create index bot_rules_by_content on shopbot.bot_rules (workspace_id, rule_id, content_hash);

-- Every set of rules that was in force: its file, which versions it switched on, who did it and why.
create table shopbot.bot_releases (
  workspace_id uuid not null references workspaces.workspaces on delete cascade,
  release      int not null check (release >= 1),
  file         text not null,
  rules        jsonb not null,
  based_on     int,
  operator     text not null,
  reason       text,
  created_at   timestamptz not null default now(),
  primary key (workspace_id, release)
);

-- Dialogues ---------------------------------------------------------------------------------------------------------

create table shopbot.bot_state (
  workspace_id uuid not null references workspaces.workspaces on delete cascade,
  chat_id      text not null,
  state        text not null default 'default' check (state <> ''),
  context      jsonb not null default '{"turns": 0}' check (jsonb_typeof(context) = 'object' and context ? 'turns'),
  expires_at   timestamptz,
  updated_at   timestamptz not null default now(),
  primary key (workspace_id, chat_id)
) with (fillfactor = 70);
create index bot_state_with_operator on shopbot.bot_state (workspace_id, expires_at) where state = 'operator';

create table shopbot.bot_logs (
  workspace_id                uuid not null references workspaces.workspaces on delete cascade,
  id                          uuid not null default molva.uuidv7(),
  ts                          timestamptz not null default now(),
  -- Messages that were worked on together have one time.
  seq                         bigint generated always as identity,
  chat_id                     text not null,
  inbound_provider_message_id text not null,
  action                      text not null,
  result                      text not null check (result in ('ok', 'error')),
  outcome                     text not null,
  message_text                text not null,
  matched_rule_id             text,
  rule_version                int,
  state_before                text not null,
  state_after                 text not null,
  response_preview            text,
  meta                        jsonb not null default '{}',
  primary key (workspace_id, id),
  constraint rule_has_version check ((matched_rule_id is null and rule_version is null)
    or (matched_rule_id is not null and rule_version is not null))
);
create index bot_logs_by_chat on shopbot.bot_logs (workspace_id, chat_id, ts, seq);
create index bot_logs_by_time on shopbot.bot_logs (workspace_id, ts desc);
create index bot_logs_unanswered on shopbot.bot_logs (workspace_id, ts desc) where outcome in ('fallback', 'escalated');

-- Row security: the owner passes through it, everyone else sees nothing -----------------------------------------------

alter table shopbot.bots enable row level security;
alter table shopbot.bot_buckets enable row level security;
alter table shopbot.bot_chats enable row level security;
alter table shopbot.bot_inbox enable row level security;
alter table shopbot.bot_outbox enable row level security;
alter table shopbot.bot_rules enable row level security;
alter table shopbot.bot_releases enable row level security;
alter table shopbot.bot_state enable row level security;
alter table shopbot.bot_logs enable row level security;
