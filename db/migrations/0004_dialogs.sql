-- Conversations: where each chat stands in which flow, and what came in that has not been worked on.

create schema dialogs;
comment on schema dialogs is 'Conversations of bots with people';

-- One row per bot and chat, kept when a flow ends: `revision` must never start again, or an old button would fit a new screen.
create table dialogs.dialogues (
  workspace_id    uuid not null references workspaces.workspaces on delete cascade,
  bot             text not null check (bot <> ''),
  chat_id         text not null check (chat_id <> ''),
  user_id         text not null,
  language        text not null check (language in ('ru', 'en')),
  -- Both absent: no flow is under way.
  flow            text,
  state           text,
  data            jsonb not null default '{}' check (jsonb_typeof(data) = 'object'),
  -- The states to go back through, the latest last.
  trail           text[] not null default '{}',
  -- A flow that somebody wants to begin while another is under way: {flow, state, data}.
  rival           jsonb,
  expires_at      timestamptz,
  revision        bigint not null default 0,
  -- What the chat shall show, and which revision of it is known to be shown in which message.
  screen          jsonb,
  says            jsonb not null default '[]' check (jsonb_typeof(says) = 'array'),
  shown_revision  bigint not null default 0,
  live_message_id text,
  showing_until   timestamptz,
  -- Long work of the present state; `work_until` is the end of the lease of whoever does it.
  work_id         uuid,
  work_attempts   int not null default 0,
  work_until      timestamptz,
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  primary key (workspace_id, bot, chat_id),
  check ((flow is null) = (state is null))
) with (fillfactor = 60);
create index dialogues_unshown on dialogs.dialogues (workspace_id, bot) where shown_revision < revision;
create index dialogues_at_work on dialogs.dialogues (workspace_id, bot, work_until) where work_id is not null;
create index dialogues_expiring on dialogs.dialogues (workspace_id, bot, expires_at) where expires_at is not null;

-- What came in, once by its number at the messenger, in whose order a chat is worked on.
create table dialogs.inbox (
  workspace_id uuid not null references workspaces.workspaces on delete cascade,
  bot          text not null check (bot <> ''),
  update_id    bigint not null,
  chat_id      text not null check (chat_id <> ''),
  body         jsonb not null check (jsonb_typeof(body) = 'object'),
  received_at  timestamptz not null default now(),
  done_at      timestamptz,
  failures     int not null default 0,
  -- After a failure the chat waits until then.
  not_before   timestamptz,
  primary key (workspace_id, bot, update_id)
) with (fillfactor = 80);
create index inbox_waiting on dialogs.inbox (workspace_id, bot, chat_id, update_id) where done_at is null;
create index inbox_done on dialogs.inbox (workspace_id, bot, done_at) where done_at is not null;

alter table dialogs.dialogues enable row level security;
alter table dialogs.inbox enable row level security;
