-- Tenants, their credentials, and the audit trail. Every tenant row starts its key with workspace_id.
-- Functions that use these tables live in db/functions/workspaces.

create schema workspaces;
comment on schema workspaces is 'Tenants, their credentials, and the audit trail of everything that happens to them';

create table workspaces.workspaces (
  workspace_id uuid primary key default molva.uuidv7(),
  name         text not null check (length(name) between 1 and 200),
  status       text not null default 'active' check (status in ('active', 'paused', 'disabled')),
  timezone     text not null default 'Europe/Moscow',
  -- {"deduped_rows": true} keeps a row for each suppressed repeat.
  settings     jsonb not null default '{}' check (jsonb_typeof(settings) = 'object'),
  -- When everything of the workspace was last exported: it is not deleted without that.
  exported_at  timestamptz,
  created_at   timestamptz not null default now(),
  updated_at   timestamptz not null default now()
);

-- Credentials -------------------------------------------------------------------------------------------------------

-- `secret_ref` says where the secret is: `vault:<id>` in workspaces.secrets, or `env:<NAME>` in the environment.
create table workspaces.credential_bindings (
  workspace_id uuid not null references workspaces.workspaces on delete cascade,
  auth_ref     text not null,
  platform     text not null,
  secret_ref   text not null check (secret_ref ~ '^(vault|env):.+'),
  rotated_at   timestamptz,
  updated_at   timestamptz not null default now(),
  primary key (workspace_id, auth_ref, platform)
);

create table workspaces.secrets (
  workspace_id uuid not null references workspaces.workspaces on delete cascade,
  secret_id    uuid not null default molva.uuidv7(),
  ciphertext   text not null,
  created_at   timestamptz not null default now(),
  updated_at   timestamptz not null default now(),
  primary key (workspace_id, secret_id)
);

-- The audit trail: partitioned by day, so that retention drops tables instead of deleting rows ------------------------

create table workspaces.events (
  workspace_id uuid not null,
  id           uuid not null default molva.uuidv7(),
  delivery_id  uuid,
  message_id   uuid,
  channel_id   uuid,
  ts           timestamptz not null default now(),
  action       text not null,
  attempt      int not null default 0,
  result       text not null check (result in ('ok', 'error')),
  error        jsonb,
  payload_ref  text,
  meta         jsonb not null default '{}',
  -- Read backwards, it is a workspace's trail by time.
  primary key (workspace_id, ts, id)
) partition by range (ts);
create table workspaces.events_rest partition of workspaces.events default;
create index events_by_action on workspaces.events (workspace_id, action, ts desc);
create index events_by_result on workspaces.events (workspace_id, result, ts desc);
create index events_by_delivery on workspaces.events (workspace_id, delivery_id, ts desc) where delivery_id is not null;
create index events_by_message on workspaces.events (workspace_id, message_id, ts desc) where message_id is not null;
create index events_by_channel on workspaces.events (workspace_id, channel_id, ts desc) where channel_id is not null;

-- Row security: the owner passes through it, everyone else sees nothing -----------------------------------------------

alter table workspaces.workspaces          enable row level security;
alter table workspaces.credential_bindings enable row level security;
alter table workspaces.secrets             enable row level security;
alter table workspaces.events              enable row level security;
alter table workspaces.events_rest         enable row level security;
