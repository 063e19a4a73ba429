-- The gateway to language models: which model answers for what, what it may cost, what was asked and what it did cost.
-- Functions that use these tables live in db/functions/llm.

create schema llm;
comment on schema llm is 'Policies, prompts, budgets and calls of language models';

-- Policies ----------------------------------------------------------------------------------------------------------

-- Code asks by key; the row says which model answers. `fallbacks` are tried in their order when it cannot.
create table llm.llm_policies (
  workspace_id uuid not null references workspaces.workspaces on delete cascade,
  key          text not null check (key ~ '^[a-z0-9][a-z0-9_-]{0,63}$'),
  provider     text not null check (provider in ('openrouter', 'openai', 'compatible')),
  model        text not null check (length(model) between 1 and 200),
  fallbacks    jsonb not null default '[]' check (jsonb_typeof(fallbacks) = 'array'),
  -- Null for models that take none.
  temperature  numeric check (temperature between 0 and 2),
  max_tokens   int not null check (max_tokens between 1 and 200000),
  timeout_ms   int not null check (timeout_ms between 100 and 600000),
  -- Fields of the request that only this provider knows, see options_allowed.
  options      jsonb not null default '{}' check (jsonb_typeof(options) = 'object'),
  enabled      boolean not null default true,
  updated_at   timestamptz not null default now(),
  primary key (workspace_id, key),
  -- What a policy may add to a request, the same list as in src/llm/policies/options.ts: nothing that multiplies answers,
  -- chooses other models, costs extra or hides what was used, because the books would not know of it.
  constraint options_allowed check (
    options - array[
      'chat_template_kwargs', 'frequency_penalty', 'include_reasoning', 'logit_bias', 'min_p', 'presence_penalty', 'provider',
      'reasoning', 'reasoning_effort', 'repetition_penalty', 'seed', 'stop', 'top_a', 'top_k', 'top_p', 'transforms', 'user',
      'verbosity'] = '{}')
);

-- Dollars for a million tokens, for estimates before a call and for providers whose answers do not say what they cost.
create table llm.model_prices (
  workspace_id   uuid not null references workspaces.workspaces on delete cascade,
  provider       text not null check (provider in ('openrouter', 'openai', 'compatible')),
  model          text not null check (length(model) between 1 and 200),
  prompt_usd     numeric not null check (prompt_usd >= 0),
  completion_usd numeric not null check (completion_usd >= 0),
  updated_at     timestamptz not null default now(),
  primary key (workspace_id, provider, model)
);

-- Prompts -----------------------------------------------------------------------------------------------------------

-- `source` is where a version came from: a file of the release, or an operator.
create table llm.prompts (
  workspace_id uuid not null references workspaces.workspaces on delete cascade,
  name         text not null check (name ~ '^[a-z0-9][a-z0-9_-]{0,63}$'),
  version      int not null check (version >= 1),
  body         text not null check (btrim(body) <> ''),
  sha256       text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  source       text not null check (source in ('file', 'operator')),
  active       boolean not null default false,
  created_at   timestamptz not null default now(),
  primary key (workspace_id, name, version)
);
create unique index prompts_active on llm.prompts (workspace_id, name) where active;

-- Budgets -----------------------------------------------------------------------------------------------------------

-- `subject` is a user or a policy; '*' means each of them for itself, and one that is named has its own cap instead.
create table llm.budgets (
  workspace_id uuid not null references workspaces.workspaces on delete cascade,
  scope        text not null check (scope in ('workspace', 'user', 'policy')),
  subject      text not null default '*' check (length(subject) between 1 and 200),
  period       text not null check (period in ('day', 'month')),
  unit         text not null check (unit in ('usd', 'tokens', 'calls')),
  cap          numeric not null check (cap >= 0),
  updated_at   timestamptz not null default now(),
  primary key (workspace_id, scope, subject, period, unit),
  constraint workspace_has_no_subject check (scope <> 'workspace' or subject = '*')
);

-- Caps over all workspaces together, set by whoever runs the server.
create table llm.installation_caps (
  period     text        not null check (period in ('day', 'month')),
  unit       text        not null check (unit in ('usd', 'tokens', 'calls')),
  cap        numeric     not null check (cap >= 0),
  updated_at timestamptz not null,
  updated_by text        not null,
  primary key (period, unit)
);

-- What was spent and what is held for calls under way, by day and month in UTC. Kept for every call, so that a cap set
-- today knows of this morning.
create table llm.spending (
  workspace_id    uuid not null references workspaces.workspaces on delete cascade,
  scope           text not null,
  subject         text not null,
  period          text not null,
  starts_on       date not null,
  spent_usd       numeric not null default 0,
  spent_tokens    bigint not null default 0,
  spent_calls     bigint not null default 0,
  reserved_usd    numeric not null default 0,
  reserved_tokens bigint not null default 0,
  reserved_calls  bigint not null default 0,
  primary key (workspace_id, scope, subject, period, starts_on)
) with (fillfactor = 70);
-- Adds up what all workspaces have spent in a period without reading the books of users and policies.
create index spending_of_workspaces on llm.spending (period, starts_on) where scope = 'workspace';

-- Calls -------------------------------------------------------------------------------------------------------------

-- One row per question to the gateway, however many requests it took. What was asked and answered is not kept.
create table llm.calls (
  workspace_id      uuid not null references workspaces.workspaces on delete cascade,
  call_id           uuid not null default molva.uuidv7(),
  -- The caller's own id of what it does: with it, a question is asked once.
  request_id        text check (length(request_id) between 1 and 200),
  policy            text not null,
  user_id           text check (length(user_id) between 1 and 200),
  kind              text not null check (kind in ('text', 'object', 'stream')),
  prompt            text not null,
  prompt_version    int not null,
  status            text not null default 'reserved' check (status in ('reserved', 'ok', 'failed', 'expired')),
  -- Why it failed.
  code              text,
  reserved_usd      numeric not null default 0,
  reserved_tokens   bigint not null default 0,
  cost_usd          numeric,
  prompt_tokens     int,
  completion_tokens int,
  started_at        timestamptz not null,
  -- A process that has not settled by then is taken for dead.
  expires_at        timestamptz not null,
  finished_at       timestamptz,
  primary key (workspace_id, call_id),
  constraint failed_has_code check ((status = 'failed') = (code is not null)),
  constraint finished_has_time check ((status in ('ok', 'failed')) = (finished_at is not null))
);
create unique index calls_once on llm.calls (workspace_id, request_id) where status in ('reserved', 'ok');
create index calls_under_way on llm.calls (workspace_id, expires_at) where status = 'reserved';
-- In an installation with one workspace, an index that begins with the workspace finds everything. As long as a table has no
-- statistics, PostgreSQL takes it to be as good as the key and may read the whole table for one row; so an index begins with
-- what is looked for.
create index calls_by_time on llm.calls (started_at, workspace_id);
create index calls_of_user on llm.calls (user_id, workspace_id) where user_id is not null;

-- One row per request to a provider. `estimated`: nobody said what it cost, so what was held for it counts.
create table llm.requests (
  workspace_id      uuid not null,
  call_id           uuid not null,
  number            int not null check (number >= 1),
  provider          text not null,
  model             text not null,
  purpose           text not null check (purpose in ('answer', 'repair')),
  outcome           text not null,
  http_status       int,
  prompt_tokens     int not null default 0,
  completion_tokens int not null default 0,
  cached_tokens     int not null default 0,
  cost_usd          numeric,
  estimated         boolean not null default false,
  latency_ms        int not null,
  error             text,
  started_at        timestamptz not null,
  primary key (workspace_id, call_id, number),
  foreign key (workspace_id, call_id) references llm.calls on delete cascade
);

-- Row security: the owner passes through it, everyone else sees nothing -----------------------------------------------

alter table llm.llm_policies enable row level security;
alter table llm.model_prices enable row level security;
alter table llm.prompts enable row level security;
alter table llm.budgets enable row level security;
alter table llm.installation_caps enable row level security;
alter table llm.spending enable row level security;
alter table llm.calls enable row level security;
alter table llm.requests enable row level security;
