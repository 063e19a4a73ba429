-- Work of SEO Master that takes time and costs tokens. Functions that use these tables live in db/functions/seo/runs.

-- A run is one piece of work that a person ordered, such as an article with its preview and its regenerations. Its id is the
-- `run` of billing's transfers and of delivery's addressed posts.
--
-- queued → running → done | failed, or with a text to review: running → review → publishing → done | failed. A regeneration leads
-- from review back to queued, in the next round. cancelled and expired return the tokens.
create table seo.runs (
  workspace_id        uuid not null references workspaces.workspaces on delete cascade,
  id                  uuid not null default molva.uuidv7(),
  user_id             bigint not null,
  kind                text not null check (kind ~ '^[a-z][a-z_]{0,39}$'),
  status              text not null default 'queued'
                        check (status in ('queued', 'running', 'review', 'publishing', 'done', 'failed', 'cancelled', 'expired')),
  -- Who began it: a person, or a schedule, which leaves no preview.
  origin              text not null default 'person' check (origin in ('person', 'schedule')),
  -- What a repeat of the same request has in common with the first: a double tap begins one run.
  request_key         text check (length(request_key) between 1 and 200),
  project_id          int,
  category_id         int,
  connection_id       int,
  input               jsonb not null check (jsonb_typeof(input) = 'object'),
  result              jsonb,
  -- {code, message: {ru, en}}
  error               jsonb,
  -- Shown to the person as the work goes on.
  stage               text,
  round               int not null default 0 check (round >= 0),
  -- What counts for the limits per hour.
  texts               int not null default 0 check (texts >= 0),
  images              int not null default 0 check (images >= 0),
  keywords            int not null default 0 check (keywords >= 0),
  -- The process that works on it holds the token until the time, and renews it. Whatever has another token writes nothing.
  token               uuid,
  leased_until        timestamptz,
  attempts            int not null default 0 check (attempts >= 0),
  cancel_requested_at timestamptz,
  created_at          timestamptz not null default now(),
  started_at          timestamptz,
  reviewed_at         timestamptz,
  ended_at            timestamptz,
  primary key (workspace_id, id),
  constraint leased_while_running check ((status = 'running') = (leased_until is not null)),
  constraint ended_has_time check ((status in ('done', 'failed', 'cancelled', 'expired')) = (ended_at is not null)),
  constraint failed_says_why check ((status = 'failed') = (error is not null))
);
create unique index runs_of_request on seo.runs (workspace_id, user_id, request_key) where request_key is not null;
create index runs_of_user on seo.runs (workspace_id, user_id, created_at desc, id desc);
create index runs_by_time on seo.runs (workspace_id, created_at desc, id desc);
create index runs_under_way on seo.runs (leased_until) where status = 'running';
create index runs_not_begun on seo.runs (created_at) where status = 'queued';

-- A step that was done is not done again: whoever asks for it gets its result.
create table seo.run_steps (
  workspace_id uuid not null,
  run_id       uuid not null,
  round        int not null,
  name         text not null check (name ~ '^[a-z][a-z0-9_-]{0,59}$'),
  status       text not null default 'running' check (status in ('running', 'done', 'failed')),
  result       jsonb,
  -- What it read, asked and noticed, for people who look into a run.
  notes        jsonb not null default '[]' check (jsonb_typeof(notes) = 'array'),
  -- The calls of providers: provider, model, tokens, cost, time.
  calls        jsonb not null default '[]' check (jsonb_typeof(calls) = 'array'),
  cost_usd     numeric(10, 6) not null default 0 check (cost_usd >= 0),
  error        text,
  started_at   timestamptz not null,
  ended_at     timestamptz,
  primary key (workspace_id, run_id, round, name),
  foreign key (workspace_id, run_id) references seo.runs on delete cascade,
  constraint ended_has_time check ((status = 'running') = (ended_at is null))
);

alter table seo.runs      enable row level security;
alter table seo.run_steps enable row level security;
