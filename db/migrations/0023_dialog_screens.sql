-- Screens outside flows, keyboards below the chat, files on their way, flows that were left and may be resumed.

alter table dialogs.dialogues
  -- The address of the screen that is shown while no flow is under way.
  add column at            text,
  -- The revision that the shown buttons carry, where the text above them has changed since.
  add column tap_revision  bigint,
  -- The keyboard that the chat was sent.
  add column keyboard      jsonb,
  -- The last tap on a screen, to tell a double tap: {message, payload, at}.
  add column last_tap      jsonb,
  -- Whether the live message has a picture, and whether its buttons work for ever.
  add column live_picture  boolean not null default false,
  add column live_screen   boolean not null default false,
  add constraint dialogues_at check (at is null or flow is null);

-- Flows that were left before their end, one of each name per chat.
create table dialogs.kept (
  workspace_id uuid not null,
  bot          text not null,
  chat_id      text not null,
  flow         text not null,
  state        text not null,
  data         jsonb not null check (jsonb_typeof(data) = 'object'),
  trail        text[] not null,
  -- What it waits for, if it was left waiting.
  waits_on     text,
  -- How the person wanted to begin it anew: {state, data}.
  again        jsonb,
  kept_until   timestamptz not null,
  primary key (workspace_id, bot, chat_id, flow),
  foreign key (workspace_id, bot, chat_id) references dialogs.dialogues on delete cascade
);
create index kept_until on dialogs.kept (workspace_id, bot, kept_until);

-- Bytes that wait to be sent.
create table dialogs.files (
  file_id      uuid primary key,
  workspace_id uuid not null,
  bot          text not null,
  chat_id      text not null,
  bytes        bytea not null,
  created_at   timestamptz not null,
  foreign key (workspace_id, bot, chat_id) references dialogs.dialogues on delete cascade
);
create index files_of_chat on dialogs.files (workspace_id, bot, chat_id);

alter table dialogs.kept enable row level security;
alter table dialogs.files enable row level security;
