-- The monitor: whom to tell and when, what was told, who fell silent, events that point at nothing, counts kept cheaply.

-- When to tell --------------------------------------------------------------------------------------------------------

-- A workspace without a row has the defaults.
create table delivery.monitor_settings (
  workspace_id               uuid primary key references workspaces.workspaces on delete cascade,
  failed_permanent_threshold int not null default 5 check (failed_permanent_threshold >= 0),
  paused_channels_threshold  int not null default 10 check (paused_channels_threshold >= 0),
  alert_cooldown_seconds     int not null default 300 check (alert_cooldown_seconds >= 1),
  updated_at                 timestamptz not null default now()
);

-- Up to where a workspace's troubles were told. Transactions in flight may still add events a moment older than the
-- last look, so the mark stays behind it, and what lay between the mark and the look is remembered by count.
create table delivery.monitor_state (
  workspace_id   uuid primary key references workspaces.workspaces on delete cascade,
  reported_until timestamptz not null default '-infinity',
  reported_after jsonb not null default '{}'
);

-- Whom to tell --------------------------------------------------------------------------------------------------------

-- `config`: {"chat_id"} for Telegram, {"url", "headers"?} for a webhook, {"to": [], "from"?} for e-mail.
-- `secret_ref`: the bot's token, the webhook's signing secret.
create table delivery.alert_targets (
  workspace_id uuid not null references workspaces.workspaces on delete cascade,
  target_id    uuid not null default molva.uuidv7(),
  kind         text not null check (kind in ('telegram', 'webhook', 'email')),
  config       jsonb not null check (jsonb_typeof(config) = 'object'),
  secret_ref   text check (secret_ref ~ '^(vault|env):.+'),
  enabled      boolean not null default true,
  language     text not null default 'ru' check (language in ('ru', 'en')),
  sent_count   bigint not null default 0,
  failed_count bigint not null default 0,
  last_error   text,
  created_at   timestamptz not null default now(),
  updated_at   timestamptz not null default now(),
  primary key (workspace_id, target_id),
  constraint telegram_has_token check (kind <> 'telegram' or secret_ref is not null)
);

-- What was told -------------------------------------------------------------------------------------------------------

create table delivery.alerts (
  workspace_id      uuid not null references workspaces.workspaces on delete cascade,
  alert_id          uuid not null default molva.uuidv7(),
  alert_fingerprint text not null,
  reasons           text[] not null,
  findings          jsonb not null,
  created_at        timestamptz not null,
  primary key (workspace_id, alert_id)
);
create index alerts_by_time on delivery.alerts (workspace_id, created_at desc);

create table delivery.alert_sends (
  workspace_id uuid not null,
  alert_id     uuid not null,
  target_id    uuid not null,
  status       text not null default 'pending' check (status in ('pending', 'sent', 'given_up')),
  attempts     int not null default 0,
  -- While a monitor is at it; after this time it is taken for dead and another may try.
  taken_until  timestamptz,
  last_error   text,
  ended_at     timestamptz,
  primary key (workspace_id, alert_id, target_id),
  foreign key (workspace_id, alert_id) references delivery.alerts on delete cascade,
  foreign key (workspace_id, target_id) references delivery.alert_targets on delete cascade
);
create index alert_sends_pending on delivery.alert_sends (workspace_id, alert_id) where status = 'pending';

-- The cooldown: written when the first target has the alert, so that a failure to deliver does not use it up.
create table delivery.monitor_alert_receipts (
  workspace_key     text not null,
  alert_fingerprint text not null,
  first_sent_at     timestamptz not null,
  last_sent_at      timestamptz not null,
  sent_count        bigint not null default 1,
  primary key (workspace_key, alert_fingerprint)
);

-- Who fell silent -----------------------------------------------------------------------------------------------------

-- One row per watched channel. `quiet_since` and `overdue_since` name the silence that was told, so that it is told once.
create table delivery.channel_silences (
  workspace_id  uuid not null,
  channel_id    uuid not null,
  -- The last sign of life, and up to where the trail was searched for a newer one.
  alive_at      timestamptz not null,
  looked_until  timestamptz not null default '-infinity',
  quiet_since   timestamptz,
  overdue_since timestamptz,
  primary key (workspace_id, channel_id),
  foreign key (workspace_id, channel_id) references delivery.channels on delete cascade
);
create index channels_watched_for_silence on delivery.channels (workspace_id, channel_id)
  where silence_after_seconds is not null;

-- Events that point at nothing ----------------------------------------------------------------------------------------

create table delivery.orphan_events (
  workspace_id uuid not null references workspaces.workspaces on delete cascade,
  event_id     uuid not null,
  event_ts     timestamptz not null,
  action       text not null,
  missing      text not null check (missing in ('channel', 'message', 'delivery')),
  missing_id   uuid not null,
  found_at     timestamptz not null,
  primary key (workspace_id, event_id)
);
create index orphan_events_found on delivery.orphan_events (workspace_id, found_at);

-- Two readers of each workspace's trail: one follows its end, one goes round through all that is kept.
create table delivery.orphan_cursors (
  workspace_id uuid not null references workspaces.workspaces on delete cascade,
  reader       text not null check (reader in ('fresh', 'round')),
  ts           timestamptz not null,
  event_id     uuid not null,
  moved_at     timestamptz not null,
  primary key (workspace_id, reader)
);

-- Counts without reading history --------------------------------------------------------------------------------------

-- Events by minute for the last two days, and since the beginning; both up to `rolled_until`.
create table delivery.event_rollups (
  workspace_id uuid primary key references workspaces.workspaces on delete cascade,
  rolled_until timestamptz not null
);
create table delivery.event_minutes (
  workspace_id uuid not null references workspaces.workspaces on delete cascade,
  minute       timestamptz not null,
  action       text not null,
  count        bigint not null,
  primary key (workspace_id, minute, action)
);
create table delivery.event_totals (
  workspace_id uuid not null references workspaces.workspaces on delete cascade,
  action       text not null,
  count        bigint not null,
  primary key (workspace_id, action)
);

create index deliveries_dead on delivery.deliveries (workspace_id) where status = 'dead';

alter table delivery.monitor_settings enable row level security;
alter table delivery.monitor_state enable row level security;
alter table delivery.alert_targets enable row level security;
alter table delivery.alerts enable row level security;
alter table delivery.alert_sends enable row level security;
alter table delivery.monitor_alert_receipts enable row level security;
alter table delivery.channel_silences enable row level security;
alter table delivery.orphan_events enable row level security;
alter table delivery.orphan_cursors enable row level security;
alter table delivery.event_rollups enable row level security;
alter table delivery.event_minutes enable row level security;
alter table delivery.event_totals enable row level security;
