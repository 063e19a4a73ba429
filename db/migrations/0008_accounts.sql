-- Publishing from people's own Telegram accounts: whose accounts, which chats they write to, what is published, when, and what
-- became of it. Functions that use these tables live in db/functions/accounts.

create schema accounts;
comment on schema accounts is 'Paced publishing from people''s own Telegram accounts';

-- Accounts ----------------------------------------------------------------------------------------------------------

-- `owner` is the operator's login or the token's name. The day and the window are those of `timezone`; no `fix_interval_minutes`
-- means five. `stopped_code` says why the account is not active, `last_error` says it in words.
create table accounts.accounts (
  workspace_id         uuid not null references workspaces.workspaces on delete cascade,
  id                   uuid not null default molva.uuidv7(),
  owner                text not null check (owner <> ''),
  -- Absent while only a scanned code or an imported session is known of the account.
  phone                text check (phone ~ '^\+[0-9]{6,15}$'),
  title                text not null check (length(title) between 1 and 200),
  telegram_user_id     bigint,
  mode                 text not null default 'normal' check (mode in ('safe', 'normal', 'aggressive', 'smart', 'fix')),
  fix_interval_minutes int check (fix_interval_minutes between 1 and 1440),
  daily_limit          int not null default 200 check (daily_limit >= 0),
  timezone             text not null default 'Europe/Moscow' check (timezone <> ''),
  window_from          time not null default '08:00',
  window_to            time not null default '22:00',
  is_active            boolean not null default true,
  last_used_at         timestamptz,
  last_error           text,
  stopped_code         text,
  stopped_at           timestamptz,
  flood_until          timestamptz,
  flood_seconds        int check (flood_seconds >= 0),
  -- How the owner's device looks to Telegram: the same at every connection.
  device               jsonb not null default '{}' check (jsonb_typeof(device) = 'object'),
  connected_at         timestamptz,
  created_at           timestamptz not null default now(),
  updated_at           timestamptz not null default now(),
  primary key (workspace_id, id),
  unique (workspace_id, phone),
  unique (workspace_id, telegram_user_id),
  constraint window_opens_before_it_closes check (window_from < window_to),
  constraint active_is_not_stopped check (not is_active or stopped_code is null)
) with (fillfactor = 80);
create index accounts_of_owner on accounts.accounts (workspace_id, owner);

-- The limiter's memory: when the account was let through, for the last hour. Counted before the network is touched.
create table accounts.sends (
  workspace_id uuid not null,
  account_id   uuid not null,
  at           timestamptz not null,
  id           uuid not null default molva.uuidv7(),
  task_id      uuid,
  primary key (workspace_id, account_id, at, id),
  foreign key (workspace_id, account_id) references accounts.accounts on delete cascade
);

-- Chats -------------------------------------------------------------------------------------------------------------

-- One row per Telegram chat. `owner_type` bot: published by a bot, as deliveries of `channel_id`; user: by accounts, through
-- account_chats or, the older scheme, `owner_account_id`. Without `telegram_chat_id` it is a place that nobody has joined yet.
create table accounts.chats (
  workspace_id      uuid not null references workspaces.workspaces on delete cascade,
  id                uuid not null default molva.uuidv7(),
  telegram_chat_id  bigint,
  title             text not null,
  username          text,
  type              text check (type in ('group', 'supergroup', 'channel')),
  owner_type        text not null default 'user' check (owner_type in ('bot', 'user')),
  owner_account_id  uuid,
  channel_id        uuid,
  is_active         boolean not null default true,
  members           int check (members >= 0),
  published_count   bigint not null default 0,
  last_published_at timestamptz,
  cached_at         timestamptz,
  filters           jsonb not null default '{}' check (jsonb_typeof(filters) = 'object'),
  created_at        timestamptz not null default now(),
  updated_at        timestamptz not null default now(),
  primary key (workspace_id, id),
  unique (workspace_id, telegram_chat_id),
  foreign key (workspace_id, owner_account_id) references accounts.accounts on delete set null (owner_account_id),
  foreign key (workspace_id, channel_id) references delivery.channels on delete set null (channel_id),
  constraint known_chat_has_type check (telegram_chat_id is null or type is not null)
) with (fillfactor = 80);
create index chats_of_owner_account on accounts.chats (workspace_id, owner_account_id) where owner_account_id is not null;

-- Which account writes to which chat, and what the chat allows it.
create table accounts.account_chats (
  workspace_id      uuid not null,
  account_id        uuid not null,
  chat_id           uuid not null,
  can_write         boolean not null default true,
  slow_mode_seconds int check (slow_mode_seconds >= 0),
  slow_mode_until   timestamptz,
  -- Why it may not write there, as a code and in words.
  stopped_code      text,
  last_error        text,
  created_at        timestamptz not null default now(),
  updated_at        timestamptz not null default now(),
  primary key (workspace_id, account_id, chat_id),
  foreign key (workspace_id, account_id) references accounts.accounts on delete cascade,
  foreign key (workspace_id, chat_id) references accounts.chats on delete cascade
) with (fillfactor = 80);
create index account_chats_by_chat on accounts.account_chats (workspace_id, chat_id);

-- What is published -------------------------------------------------------------------------------------------------

-- `texts` is HTML: {default, compact}. `photos` is a list of {url} or {blob_ref}; `photo_mode` says how many of them go out.
create table accounts.objects (
  workspace_id uuid not null references workspaces.workspaces on delete cascade,
  id           uuid not null default molva.uuidv7(),
  owner        text not null check (owner <> ''),
  external_ref text check (external_ref <> ''),
  title        text not null check (length(title) between 1 and 500),
  -- Room type, districts, price and whatever else the chats' filters look at.
  fields       jsonb not null default '{}' check (jsonb_typeof(fields) = 'object'),
  texts        jsonb not null default '{}' check (jsonb_typeof(texts) = 'object'),
  photos       jsonb not null default '[]' check (jsonb_typeof(photos) = 'array'),
  photo_mode   text not null default 'first' check (photo_mode in ('first', 'album')),
  archived_at  timestamptz,
  created_at   timestamptz not null default now(),
  updated_at   timestamptz not null default now(),
  primary key (workspace_id, id),
  unique (workspace_id, external_ref)
);
create index objects_of_owner on accounts.objects (workspace_id, owner, created_at desc);
create index objects_photos on accounts.objects using gin (photos jsonb_path_ops);

-- `accounts_config` is a list of {account_id, chat_ids}, in the order in which they publish.
create table accounts.autopublish (
  workspace_id     uuid not null,
  object_id        uuid not null,
  enabled          boolean not null default true,
  bot_enabled      boolean not null default false,
  accounts_enabled boolean not null default true,
  format           text not null default 'default' check (format in ('default', 'compact')),
  accounts_config  jsonb not null default '[]' check (jsonb_typeof(accounts_config) = 'array'),
  created_at       timestamptz not null default now(),
  updated_at       timestamptz not null default now(),
  primary key (workspace_id, object_id),
  foreign key (workspace_id, object_id) references accounts.objects on delete cascade
);
create index autopublish_in_order on accounts.autopublish (workspace_id, created_at, object_id) where enabled;

-- The queue ---------------------------------------------------------------------------------------------------------

-- A task outlives its object and its chat, so that it can end with the reason that they are gone. `id` is also what the
-- message's random id at Telegram derives from. `attempts` counts the tries that ended badly; `reason` is the code of
-- `last_error`. `format` and `allow_duplicate` are asked of a manual publication only: else the configuration has the one,
-- and the settings the other.
create table accounts.queue (
  workspace_id    uuid not null,
  id              uuid not null default molva.uuidv7(),
  object_id       uuid not null,
  chat_id         uuid not null,
  account_id      uuid not null,
  owner           text not null check (owner <> ''),
  origin          text not null check (origin in ('daily', 'config', 'manual')),
  format          text check (format in ('default', 'compact')),
  allow_duplicate boolean not null default false,
  status          text not null default 'pending'
                    check (status in ('pending', 'processing', 'completed', 'failed', 'flood_wait')),
  scheduled_time  timestamptz not null,
  started_at      timestamptz,
  completed_at    timestamptz,
  attempts        int not null default 0 check (attempts >= 0),
  reason          text,
  last_error      text,
  message_id      text,
  claim_token     uuid,
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  primary key (workspace_id, id),
  foreign key (workspace_id, account_id) references accounts.accounts on delete cascade,
  constraint token_only_while_taken check ((claim_token is not null) = (status = 'processing')),
  constraint processing_has_start check (status <> 'processing' or started_at is not null),
  constraint completed_has_time check (status <> 'completed' or completed_at is not null),
  constraint failed_has_reason check (status not in ('failed', 'flood_wait') or reason is not null)
) with (fillfactor = 70);
create unique index queue_one_open on accounts.queue (workspace_id, object_id, chat_id, account_id)
  where status in ('pending', 'processing', 'flood_wait');
create unique index queue_one_in_flight on accounts.queue (workspace_id, account_id) where status = 'processing';
create index queue_due on accounts.queue (workspace_id, account_id, scheduled_time, id) where status = 'pending';
create index queue_stuck on accounts.queue (started_at) where status = 'processing';
create index queue_of_account on accounts.queue (workspace_id, account_id, scheduled_time desc, id);
create index queue_of_object on accounts.queue (workspace_id, object_id, scheduled_time desc, id);
create index queue_by_status on accounts.queue (workspace_id, status, scheduled_time desc, id);
-- From its latest planned time on, whatever its states.
create index queue_by_time on accounts.queue (workspace_id, scheduled_time desc, id desc);

-- What was published. `account_id` is absent for what a bot published. A task is here once at most.
create table accounts.history (
  workspace_id uuid not null references workspaces.workspaces on delete cascade,
  id           uuid not null default molva.uuidv7(),
  queue_id     uuid,
  object_id    uuid not null,
  chat_id      uuid not null,
  account_id   uuid,
  published_at timestamptz not null,
  message_id   text not null,
  url          text,
  deleted      boolean not null default false,
  deleted_at   timestamptz,
  primary key (workspace_id, id),
  unique (workspace_id, queue_id),
  foreign key (workspace_id, account_id) references accounts.accounts on delete cascade,
  constraint deleted_has_time check (deleted = (deleted_at is not null))
);
create index history_duplicates on accounts.history (workspace_id, object_id, chat_id, account_id, published_at desc)
  where not deleted;
create index history_of_account on accounts.history (workspace_id, account_id, published_at desc);
create index history_by_time on accounts.history (workspace_id, published_at desc, id);
create index history_of_object on accounts.history (workspace_id, object_id, published_at desc, id desc);

-- Planning and settings ---------------------------------------------------------------------------------------------

-- Which days of an account the daily planner has planned, in the account's own calendar.
create table accounts.planned_days (
  workspace_id uuid not null,
  account_id   uuid not null,
  day          date not null,
  planned_at   timestamptz not null,
  created      int not null default 0,
  -- What had no room: beyond the daily limit or the window.
  dropped      int not null default 0,
  primary key (workspace_id, account_id, day),
  foreign key (workspace_id, account_id) references accounts.accounts on delete cascade
);

create table accounts.settings (
  workspace_id uuid not null references workspaces.workspaces on delete cascade,
  key          text not null check (key ~ '^[a-z][a-z0-9_]{0,63}$'),
  value        jsonb not null,
  updated_at   timestamptz not null default now(),
  primary key (workspace_id, key)
);

-- Sessions ----------------------------------------------------------------------------------------------------------

-- What a client keeps between two connections, who has it open, by which proxy it goes, and sign-ins that are under way.
-- Nothing here can be read without the vault's keys but who, when and how far.

-- What a client library remembers: authorisation keys, its own settings, the chats it has met. `value` is sealed; `names` are
-- hashes by which a row is looked for (a username, a phone). An account may be here before it is in accounts.accounts: a
-- sign-in writes first.
create table accounts.session_values (
  workspace_id uuid not null references workspaces.workspaces on delete cascade,
  account_id   uuid not null,
  kind         text not null check (kind in ('auth_key', 'kv', 'peer', 'reference')),
  key          text not null,
  value        text not null,
  names        text[] not null default '{}',
  primary key (workspace_id, account_id, kind, key)
) with (fillfactor = 80);
create index session_values_by_name on accounts.session_values using gin (names);

-- Which process has the session open. Telegram burns a key that is used from two places at once.
create table accounts.session_leases (
  workspace_id uuid not null references workspaces.workspaces on delete cascade,
  account_id   uuid not null,
  holder       text not null check (holder <> ''),
  held_until   timestamptz not null,
  -- Somebody else waits for it.
  wanted_at    timestamptz,
  primary key (workspace_id, account_id)
) with (fillfactor = 50);
create index session_leases_of_holder on accounts.session_leases (holder);

-- The proxy's address with its password, sealed.
create table accounts.proxies (
  workspace_id uuid not null references workspaces.workspaces on delete cascade,
  account_id   uuid not null,
  address      text not null,
  updated_at   timestamptz not null default now(),
  primary key (workspace_id, account_id)
);

-- A sign-in under way, so that its next step may be taken by another process. `code_hash` is Telegram's, sealed.
create table accounts.login_attempts (
  workspace_id uuid not null references workspaces.workspaces on delete cascade,
  id           uuid not null default molva.uuidv7(),
  account_id   uuid not null,
  owner        text not null check (owner <> ''),
  method       text not null check (method in ('phone', 'qr')),
  phone        text,
  step         text not null check (step in ('code', 'password', 'qr', 'done', 'cancelled')),
  code_hash    text,
  sent_to      text,
  hint         text,
  device       jsonb not null check (jsonb_typeof(device) = 'object'),
  tries        int not null default 0,
  created_at   timestamptz not null default now(),
  updated_at   timestamptz not null default now(),
  expires_at   timestamptz not null,
  primary key (workspace_id, id),
  constraint phone_sign_in_has_phone check (method <> 'phone' or phone is not null),
  constraint code_has_hash check (step <> 'code' or code_hash is not null)
) with (fillfactor = 70);
create unique index login_attempts_one_open on accounts.login_attempts (workspace_id, account_id)
  where step in ('code', 'password', 'qr');
create index login_attempts_by_expiry on accounts.login_attempts (expires_at);

-- How many login codes were asked for in the current window: for a phone, in whatever workspace, and for a workspace.
create table accounts.login_code_requests (
  subject_sha256 text        primary key,
  requests       integer     not null,
  window_ends_at timestamptz not null
);
comment on column accounts.login_code_requests.subject_sha256 is 'hashed, so that a phone does not stand in clear in one more place';
create index login_code_requests_expiry on accounts.login_code_requests (window_ends_at);

-- Lists of chats ----------------------------------------------------------------------------------------------------

create table accounts.chat_lists (
  workspace_id uuid not null references workspaces.workspaces on delete cascade,
  id           uuid not null default molva.uuidv7(),
  owner        text not null check (owner <> ''),
  name         text not null check (length(name) between 1 and 200),
  purpose      text not null default 'subscription' check (purpose in ('subscription', 'autopublish')),
  -- Everybody may join its chats; only the owner changes it.
  is_public    boolean not null default false,
  created_at   timestamptz not null default now(),
  updated_at   timestamptz not null default now(),
  primary key (workspace_id, id),
  unique (workspace_id, owner, name)
);

-- Every link of the workspace once, whatever lists it stands in. Its chat is a placeholder until somebody has joined it.
create table accounts.chat_links (
  workspace_id uuid not null references workspaces.workspaces on delete cascade,
  -- The link as links are compared: names without their case.
  key          text not null check (key <> ''),
  link         text not null check (link <> ''),
  chat_id      uuid not null,
  created_at   timestamptz not null default now(),
  primary key (workspace_id, key),
  foreign key (workspace_id, chat_id) references accounts.chats on delete cascade
);
create index chat_links_by_chat on accounts.chat_links (workspace_id, chat_id);

create table accounts.chat_list_links (
  workspace_id uuid not null,
  list_id      uuid not null,
  place        int not null check (place >= 1),
  key          text not null,
  primary key (workspace_id, list_id, place),
  unique (workspace_id, list_id, key),
  foreign key (workspace_id, list_id) references accounts.chat_lists on delete cascade,
  foreign key (workspace_id, key) references accounts.chat_links on delete cascade
);
create index chat_list_links_by_key on accounts.chat_list_links (workspace_id, key);

-- Joining them ------------------------------------------------------------------------------------------------------

-- One list with one account, a chat at a time. `next_run_at` is when the next chat is due; `floods` counts those in a row;
-- `tries` those of the chat at hand. A claim that is not settled until `claimed_until` is done again by somebody else.
create table accounts.join_tasks (
  workspace_id  uuid not null,
  id            uuid not null default molva.uuidv7(),
  account_id    uuid not null,
  -- Absent once the list is gone: the task has its own copy of it.
  list_id       uuid,
  list_name     text not null,
  owner         text not null check (owner <> ''),
  mode          text not null default 'safe' check (mode in ('safe', 'aggressive')),
  status        text not null default 'running'
                  check (status in ('running', 'paused', 'flood_wait', 'completed', 'failed')),
  next_run_at   timestamptz,
  floods        int not null default 0 check (floods >= 0),
  flood_until   timestamptz,
  tries         int not null default 0 check (tries >= 0),
  reason        text,
  last_error    text,
  claim_token   uuid,
  claimed_until timestamptz,
  created_at    timestamptz not null default now(),
  updated_at    timestamptz not null default now(),
  completed_at  timestamptz,
  primary key (workspace_id, id),
  foreign key (workspace_id, account_id) references accounts.accounts on delete cascade,
  foreign key (workspace_id, list_id) references accounts.chat_lists on delete set null (list_id),
  constraint running_has_next_run check (status <> 'running' or next_run_at is not null),
  constraint flood_has_end check (status <> 'flood_wait' or flood_until is not null),
  constraint failed_has_reason check (status <> 'failed' or reason is not null),
  constraint completed_has_time check ((status = 'completed') = (completed_at is not null)),
  constraint claim_has_end check ((claim_token is null) = (claimed_until is null))
) with (fillfactor = 70);
-- One at a time with one account: two would join at twice the pace.
create unique index join_tasks_one_open on accounts.join_tasks (workspace_id, account_id)
  where status in ('running', 'paused', 'flood_wait');
create index join_tasks_due on accounts.join_tasks (next_run_at) where status = 'running';

create table accounts.join_steps (
  workspace_id uuid not null,
  task_id      uuid not null,
  place        int not null check (place >= 1),
  link         text not null,
  chat_id      uuid,
  state        text not null default 'waiting' check (state in ('waiting', 'joined', 'member', 'broken', 'failed')),
  last_error   text,
  done_at      timestamptz,
  primary key (workspace_id, task_id, place),
  foreign key (workspace_id, task_id) references accounts.join_tasks on delete cascade,
  foreign key (workspace_id, chat_id) references accounts.chats on delete set null (chat_id),
  constraint done_has_time check ((state = 'waiting') = (done_at is null))
) with (fillfactor = 80);

-- What bots publish -------------------------------------------------------------------------------------------------

-- Which object went out to which bot's chat on which day, as which message of the delivery engine.
create table accounts.bot_posts (
  workspace_id uuid not null,
  object_id    uuid not null,
  chat_id      uuid not null,
  day          date not null,
  message_id   uuid not null,
  channel_id   uuid not null,
  created_at   timestamptz not null default now(),
  primary key (workspace_id, message_id, channel_id),
  foreign key (workspace_id, chat_id) references accounts.chats on delete cascade
);
create index bot_posts_of_object on accounts.bot_posts (workspace_id, object_id, chat_id, day);
create index bot_posts_by_time on accounts.bot_posts (workspace_id, created_at desc);

-- Pace --------------------------------------------------------------------------------------------------------------

-- What the governor remembers, so that accounts are not banned: how far each account is trusted, how long its chats' slow
-- modes are, and which texts went out in the last day.

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

-- Row security: the owner passes through it, everyone else sees nothing -----------------------------------------------

do $$
declare
  t record;
begin
  for t in select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = 'accounts' loop
    execute format('alter table %s enable row level security', t.name);
  end loop;
end
$$;
