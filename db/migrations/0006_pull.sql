-- Sources that are asked instead of waited for: feeds, JSON APIs, tables of other databases.

create table delivery.pull_sources (
  workspace_id    uuid not null references workspaces.workspaces on delete cascade,
  source_id       text not null check (source_id ~ '^[a-z0-9][a-z0-9_-]{0,63}$'),
  kind            text not null check (kind in ('rss', 'api', 'db')),
  config_json     jsonb not null check (jsonb_typeof(config_json) = 'object'),
  -- The Authorization header, or the address of the database with its password. Of the environment only names made for
  -- sources are taken: a source sends its secret to an address of its own choice.
  secret_ref      text check (secret_ref ~ '^(vault:.+|env:MOLVA_SOURCE_[A-Z0-9_]+)$'),
  enabled         boolean not null default true,
  every_seconds   int not null default 1800 check (every_seconds between 10 and 604800),
  next_run_at     timestamptz not null default now(),
  -- Who asks the source at the moment: the run's id, and until when nobody else may.
  leased_by       text,
  leased_until    timestamptz,
  last_run_at     timestamptz,
  last_success_at timestamptz,
  -- When the source last gave its whole list; "not modified" is not a list.
  listed_at       timestamptz,
  -- Items dated up to here have left the list and were forgotten: one that comes back is not news.
  forgotten_up_to timestamptz,
  failures        int not null default 0 check (failures >= 0),
  last_error      jsonb,
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  primary key (workspace_id, source_id),
  constraint lease_is_whole check ((leased_by is null) = (leased_until is null))
) with (fillfactor = 70);
create index pull_sources_due on delivery.pull_sources (next_run_at) where enabled;

create table delivery.pull_cursors (
  workspace_id uuid not null,
  source_id    text not null,
  cursor_json  jsonb not null default '{}' check (jsonb_typeof(cursor_json) = 'object'),
  updated_at   timestamptz not null default now(),
  primary key (workspace_id, source_id),
  foreign key (workspace_id, source_id) references delivery.pull_sources on delete cascade
);

-- What a source has shown already. A receipt is renewed while the item stays on the source's list.
create table delivery.pull_receipts (
  workspace_id uuid not null,
  source_id    text not null,
  source_ref   text not null check (octet_length(source_ref) between 1 and 1024),
  message_id   uuid,
  published_at timestamptz,
  received_at  timestamptz not null default now(),
  expires_at   timestamptz not null,
  primary key (workspace_id, source_id, source_ref),
  foreign key (workspace_id, source_id) references delivery.pull_sources on delete cascade
);
create index pull_receipts_expiry on delivery.pull_receipts (expires_at);

-- The door of a source: it has no secret, because nobody knocks.
alter table delivery.workspace_endpoints
  drop constraint workspace_endpoints_kind_check,
  add constraint workspace_endpoints_kind_check check (kind in ('webhook_push', 'bot_webhook', 'pull_source')),
  alter secret_hash drop not null,
  add source_id text,
  add constraint source_or_secret check (
    case kind when 'pull_source' then source_id is not null and secret_hash is null
              else source_id is null and secret_hash is not null end),
  add foreign key (workspace_id, source_id) references delivery.pull_sources on delete cascade;
create unique index workspace_endpoints_active_source on delivery.workspace_endpoints (workspace_id, source_id)
  where enabled and source_id is not null;

alter table delivery.ingest_runs
  add source_id text,
  add trace_ids text[] not null default '{}';
create index ingest_runs_by_source on delivery.ingest_runs (workspace_id, source_id, started_at desc)
  where source_id is not null;

alter table delivery.pull_sources enable row level security;
alter table delivery.pull_cursors enable row level security;
alter table delivery.pull_receipts enable row level security;
