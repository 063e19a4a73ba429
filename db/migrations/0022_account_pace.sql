-- What the governor remembers, so that accounts are not banned: how far each account is trusted, how long its chats' slow modes
-- are, and which texts went out in the last day.

-- `memory` is read and written by the governor alone: trust, limits met, warnings, breaker; times in it are milliseconds.
-- `settings` is what somebody has moved for this account; the rest is the workspace's setting `account_pace`.
create table accounts.pace (
  workspace_id uuid not null,
  account_id   uuid not null,
  memory       jsonb check (jsonb_typeof(memory) = 'object'),
  settings     jsonb not null default '{}' check (jsonb_typeof(settings) = 'object'),
  updated_at   timestamptz not null default now(),
  primary key (workspace_id, account_id),
  foreign key (workspace_id, account_id) references accounts.accounts on delete cascade
) with (fillfactor = 50);

-- The slow mode that a chat was found to have: a refusal names what is left of the wait, and the last message its beginning.
create table accounts.pace_chats (
  workspace_id      uuid not null,
  account_id        uuid not null,
  chat_id           uuid not null,
  slow_mode_seconds int not null check (slow_mode_seconds > 0),
  slow_mode_until   timestamptz not null,
  learned_at        timestamptz not null,
  primary key (workspace_id, account_id, chat_id),
  foreign key (workspace_id, account_id) references accounts.accounts on delete cascade
);

-- Texts of the last days, each once: near-identical ones differ in few bits of their fingerprints, so these are looked through
-- instead of every message.
create table accounts.pace_texts (
  workspace_id uuid not null references workspaces.workspaces on delete cascade,
  fingerprint  bigint not null,
  last_sent_at timestamptz not null,
  primary key (workspace_id, fingerprint)
) with (fillfactor = 70);
create index pace_texts_by_time on accounts.pace_texts (workspace_id, last_sent_at);

-- Messages of the last two days. One without words has no fingerprint.
create table accounts.pace_sends (
  workspace_id uuid not null,
  account_id   uuid not null,
  at           timestamptz not null,
  id           uuid not null default molva.uuidv7(),
  chat_id      uuid not null,
  fingerprint  bigint,
  primary key (workspace_id, account_id, at, id),
  foreign key (workspace_id, account_id) references accounts.accounts on delete cascade
);
create index pace_sends_of_text on accounts.pace_sends (workspace_id, fingerprint, at) where fingerprint is not null;

alter table accounts.pace enable row level security;
alter table accounts.pace_chats enable row level security;
alter table accounts.pace_texts enable row level security;
alter table accounts.pace_sends enable row level security;
