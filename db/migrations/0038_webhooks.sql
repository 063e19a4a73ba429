-- Signed requests to endpoints, secrets that overlap when they are rotated, and webhooks that tell others of events.

alter table delivery.workspace_endpoints
  -- What opens the endpoint: its secret, a signature over the body, or either.
  add column mode text not null default 'secret' check (mode in ('secret', 'signature', 'either')),
  -- The secret of signatures. Checking one needs the secret itself, so it is encrypted rather than hashed.
  add column signing_ref text check (signing_ref ~ '^vault:.+$'),
  -- The id before the first rotation, which stays the address of signed requests; null: it was never rotated.
  add column first_id uuid,
  -- A rotation: which row has the new secret, and until when the secret of this one opens that row too.
  add column replaced_by uuid,
  add column ends_at timestamptz,
  -- When the old secret was last used; of the present one nobody keeps count.
  add column last_used_at timestamptz,
  add constraint replaced_has_end check ((replaced_by is null) = (ends_at is null)),
  add constraint signed_has_secret check (
    mode = 'secret' or (kind = 'webhook_push' and (signing_ref is not null or replaced_by is not null)));
-- The present row of each address.
create unique index workspace_endpoints_address on delivery.workspace_endpoints ((coalesce(first_id, endpoint_id)))
  where replaced_by is null;
-- Old secrets that still work, which are few.
create index workspace_endpoints_ending on delivery.workspace_endpoints (ends_at) where enabled and replaced_by is not null;

-- Who is told of which events. No types: all of them; no channels: those of every channel, and those of none.
create table delivery.webhooks (
  workspace_id        uuid not null references workspaces.workspaces on delete cascade,
  webhook_id          uuid not null default molva.uuidv7(),
  url                 text not null check (length(url) between 1 and 2048),
  description         text,
  types               text[] check (cardinality(types) > 0),
  channel_ids         uuid[] check (cardinality(channel_ids) > 0),
  enabled             boolean not null default true,
  -- Why it was disabled, if nobody did it by hand.
  disabled_reason     text check (disabled_reason in ('gone', 'failing')),
  secret_ref          text not null check (secret_ref ~ '^vault:.+$'),
  -- The secret before a rotation: until its time messages are signed with both.
  previous_secret_ref text check (previous_secret_ref ~ '^vault:.+$'),
  previous_ends_at    timestamptz,
  -- Since when every attempt fails; null after a success.
  failing_since       timestamptz,
  created_at          timestamptz not null default now(),
  updated_at          timestamptz not null default now(),
  primary key (workspace_id, webhook_id),
  constraint previous_has_end check ((previous_secret_ref is null) = (previous_ends_at is null)),
  constraint reason_is_of_disabled check (not enabled or disabled_reason is null)
);
create index webhooks_enabled on delivery.webhooks (workspace_id) where enabled;

-- One row per event and webhook, written with the event. Its id is the event's, in every attempt and after a replay.
create table delivery.webhook_messages (
  workspace_id uuid not null,
  webhook_id   uuid not null,
  event_id     uuid not null,
  type         text not null,
  channel_id   uuid,
  payload      jsonb not null,
  status       text not null default 'waiting' check (status in ('waiting', 'sent', 'failed')),
  -- All attempts, and those since it was last replayed: the schedule counts the latter.
  attempts     int not null default 0 check (attempts >= 0),
  tries        int not null default 0 check (tries between 0 and attempts),
  -- When it may be taken. Whoever takes it sets this to the end of the lease, so that it is due again if he dies.
  due_at       timestamptz not null,
  taken_by     uuid,
  created_at   timestamptz not null,
  ended_at     timestamptz,
  primary key (workspace_id, webhook_id, event_id),
  foreign key (workspace_id, webhook_id) references delivery.webhooks on delete cascade,
  constraint taken_while_waiting check (taken_by is null or status = 'waiting'),
  constraint end_has_time check ((status = 'waiting') = (ended_at is null))
) with (fillfactor = 70);
create index webhook_messages_waiting on delivery.webhook_messages (workspace_id, webhook_id, due_at) where status = 'waiting';
create index webhook_messages_due on delivery.webhook_messages (due_at) where status = 'waiting';
create index webhook_messages_taken on delivery.webhook_messages (workspace_id, webhook_id) where taken_by is not null;
create index webhook_messages_by_time on delivery.webhook_messages (workspace_id, created_at);

create table delivery.webhook_attempts (
  workspace_id    uuid not null,
  webhook_id      uuid not null,
  event_id        uuid not null,
  number          int not null check (number >= 1),
  started_at      timestamptz not null,
  duration_ms     int check (duration_ms >= 0),
  response_status int,
  -- The beginning of the answer, without secrets.
  response_body   text,
  error           text,
  primary key (workspace_id, webhook_id, event_id, number),
  foreign key (workspace_id, webhook_id, event_id) references delivery.webhook_messages on delete cascade
);

alter table delivery.webhooks         enable row level security;
alter table delivery.webhook_messages enable row level security;
alter table delivery.webhook_attempts enable row level security;
