-- Joining chats with people's own accounts, list by list; and objects that bots publish besides.
-- Functions that use these tables live in db/functions/accounts.

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

-- The queue from its latest planned time on, whatever its states.
create index queue_by_time on accounts.queue (workspace_id, scheduled_time desc, id desc);
create index history_of_object on accounts.history (workspace_id, object_id, published_at desc, id desc);

-- Row security: the owner passes through it, everyone else sees nothing -----------------------------------------------

alter table accounts.chat_lists enable row level security;
alter table accounts.chat_links enable row level security;
alter table accounts.chat_list_links enable row level security;
alter table accounts.join_tasks enable row level security;
alter table accounts.join_steps enable row level security;
alter table accounts.bot_posts enable row level security;
