-- The advisor: who asks, on which plan, what was said, and which requests were answered already.
-- The eighth table of the design, llm_policies, is llm.llm_policies. Functions that use these tables live in
-- db/functions/advisor.

create schema advisor;
comment on schema advisor is 'Advice by a language model, with plans, quotas and memory';

-- Indexes begin with what is looked for, not with the workspace, for the reason that 0005_llm.sql gives at its calls: ids of
-- people and pets are unique without their workspace.

-- People ------------------------------------------------------------------------------------------------------------

-- Monthly quotas: a period that has passed counts as unused.
create table advisor.users (
  workspace_id            uuid not null references workspaces.workspaces on delete cascade,
  id                      uuid not null default molva.uuidv7(),
  telegram_user_id        bigint not null,
  created_at              timestamptz not null default now(),
  plan                    text not null default 'free' check (plan in ('free', 'pro')),
  locale                  text check (length(locale) between 1 and 35),
  last_seen_at            timestamptz,
  research_used           int not null default 0 check (research_used >= 0),
  -- Null means the limit of the configuration.
  research_limit          int check (research_limit >= 0),
  research_reset_at       timestamptz not null,
  photos_used             int not null default 0 check (photos_used >= 0),
  photo_limit             int check (photo_limit >= 0),
  photos_reset_at         timestamptz not null,
  terms_accepted_at       timestamptz,
  data_policy_accepted_at timestamptz,
  -- Outlives sessions: an offer is made at most once a day.
  last_upsell_at          timestamptz,
  primary key (workspace_id, id),
  unique (workspace_id, telegram_user_id)
) with (fillfactor = 80);
create index users_by_time on advisor.users (created_at desc, id);

create table advisor.rate_limits (
  workspace_id    uuid not null,
  user_id         uuid not null,
  window_type     text not null default 'daily_utc' check (window_type in ('daily_utc')),
  window_start_at timestamptz not null,
  window_end_at   timestamptz not null,
  count           int not null check (count >= 0),
  last_request_at timestamptz not null,
  cooldown_until  timestamptz,
  primary key (workspace_id, user_id),
  foreign key (workspace_id, user_id) references advisor.users on delete cascade
) with (fillfactor = 80);
create index rate_limits_by_end on advisor.rate_limits (window_end_at);

-- What was asked today by somebody who has deleted everything since, under a keyed hash of their id and until midnight only:
-- else deleting would be a way around the daily limit.
create table advisor.used_today (
  workspace_id    uuid not null references workspaces.workspaces on delete cascade,
  trace           text not null,
  window_start_at timestamptz not null,
  window_end_at   timestamptz not null,
  count           int not null,
  cooldown_until  timestamptz,
  primary key (workspace_id, trace)
);

-- Talks -------------------------------------------------------------------------------------------------------------

-- One per person; when it has expired, the next question begins another.
create table advisor.sessions (
  workspace_id    uuid not null,
  id              uuid not null default molva.uuidv7(),
  user_id         uuid not null,
  session_context jsonb not null check (jsonb_typeof(session_context) = 'object'),
  expires_at      timestamptz not null,
  updated_at      timestamptz not null,
  primary key (workspace_id, id),
  unique (workspace_id, user_id),
  foreign key (workspace_id, user_id) references advisor.users on delete cascade
) with (fillfactor = 70);
create index sessions_by_expiry on advisor.sessions (expires_at);

-- What advice is asked about. The columns are the base fields; `profile` holds the rest of the subject's own schema.
create table advisor.pets (
  workspace_id uuid not null,
  id           uuid not null default molva.uuidv7(),
  user_id      uuid not null,
  type         text not null,
  name         text,
  sex          text not null default 'unknown',
  birth_date   date,
  age_text     text,
  breed        text,
  profile      jsonb not null default '{}' check (jsonb_typeof(profile) = 'object'),
  created_at   timestamptz not null,
  updated_at   timestamptz not null,
  archived_at  timestamptz,
  primary key (workspace_id, id),
  foreign key (workspace_id, user_id) references advisor.users on delete cascade
);
create index pets_of_user on advisor.pets (user_id, created_at desc);

create table advisor.interactions (
  workspace_id  uuid not null,
  id            uuid not null default molva.uuidv7(),
  user_id       uuid not null,
  pet_id        uuid,
  scenario      text not null,
  mode          text not null check (mode in ('normal', 'research')),
  topic         text not null,
  question_text text not null,
  answer_text   text not null,
  summary       text not null,
  created_at    timestamptz not null,
  primary key (workspace_id, id),
  foreign key (workspace_id, user_id) references advisor.users on delete cascade,
  foreign key (workspace_id, pet_id) references advisor.pets on delete cascade
);
create index interactions_of_pet on advisor.interactions (pet_id, created_at desc);
create index interactions_of_user on advisor.interactions (user_id, created_at desc);

-- Files -------------------------------------------------------------------------------------------------------------

-- `storage_url` is the key in object storage. Until it is uploaded, `expires_at` is the end of the upload address. Rows outlive
-- their workspace and their user: those without a user are files that are still to be deleted.
create table advisor.media_assets (
  workspace_id uuid not null,
  id           uuid not null default molva.uuidv7(),
  user_id      uuid,
  pet_id       uuid,
  type         text not null check (type in ('photo', 'audio')),
  storage_url  text not null,
  mime         text not null,
  size_bytes   int not null check (size_bytes > 0),
  created_at   timestamptz not null,
  uploaded_at  timestamptz,
  expires_at   timestamptz,
  deleted_at   timestamptz,
  primary key (workspace_id, id),
  foreign key (workspace_id, user_id) references advisor.users on delete set null (user_id),
  foreign key (workspace_id, pet_id) references advisor.pets on delete set null (pet_id)
);
create index media_assets_by_expiry on advisor.media_assets (expires_at);
create index media_assets_of_user on advisor.media_assets (user_id, created_at desc);

-- Requests ----------------------------------------------------------------------------------------------------------

-- `started → done | failed`; `attempt` tells a process that was taken for dead from the one that took over. `held` is what was
-- reserved and is given back on failure. `response_json` goes when it may no longer be kept; the row stays a little longer, so
-- that a late repetition is not asked and charged again.
create table advisor.request_dedup (
  workspace_id  uuid not null,
  request_id    uuid not null,
  user_id       uuid not null,
  -- Which message of the client a request came by: a repeat under another id is recognised by it.
  client_message_id text check (length(client_message_id) between 1 and 200),
  route         text not null,
  payload_hash  text not null,
  pet_id        uuid,
  status        text not null check (status in ('started', 'done', 'failed')),
  attempt       int not null default 1,
  held          jsonb not null default '{}',
  response_json jsonb,
  error_text    text,
  created_at    timestamptz not null,
  started_at    timestamptz not null,
  finished_at   timestamptz,
  primary key (workspace_id, request_id),
  foreign key (workspace_id, user_id) references advisor.users on delete cascade
) with (fillfactor = 70);
create index request_dedup_by_time on advisor.request_dedup (created_at);
create index request_dedup_under_way on advisor.request_dedup (started_at) where status = 'started';
create index request_dedup_of_user on advisor.request_dedup (user_id, created_at desc);
create index request_dedup_by_message on advisor.request_dedup (workspace_id, user_id, client_message_id)
  where client_message_id is not null;

-- Row security: the owner passes through it, everyone else sees nothing -----------------------------------------------

alter table advisor.users enable row level security;
alter table advisor.rate_limits enable row level security;
alter table advisor.used_today enable row level security;
alter table advisor.sessions enable row level security;
alter table advisor.pets enable row level security;
alter table advisor.interactions enable row level security;
alter table advisor.media_assets enable row level security;
alter table advisor.request_dedup enable row level security;
