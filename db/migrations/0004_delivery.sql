-- The delivery schema: tenants and their doors, channels and their limits, messages, deliveries, the audit trail.
-- Every tenant row starts its key with workspace_id. Functions that use these tables live in db/functions/delivery.

create schema workspaces;
comment on schema workspaces is 'Tenants, their credentials, and the audit trail of everything that happens to them';

create schema delivery;
comment on schema delivery is 'Everything that goes out to a channel: posts, their deliveries, and what happened to them';

-- Tenants -----------------------------------------------------------------------------------------------------------

create table workspaces.workspaces (
  workspace_id uuid primary key default molva.uuidv7(),
  name         text not null check (length(name) between 1 and 200),
  status       text not null default 'active' check (status in ('active', 'paused', 'disabled')),
  timezone     text not null default 'Europe/Moscow',
  created_at   timestamptz not null default now()
);

create table delivery.workspace_endpoints (
  workspace_id         uuid not null references workspaces.workspaces on delete cascade,
  endpoint_id          uuid not null default molva.uuidv7(),
  kind                 text not null check (kind in ('webhook_push', 'bot_webhook')),
  secret_hash          text not null check (secret_hash ~ '^[0-9a-f]{64}$'),
  enabled              boolean not null default true,
  ingress_rps          numeric not null default 5 check (ingress_rps >= 0),
  max_payload_bytes    int not null default 262144 check (max_payload_bytes >= 0),
  hash_drop_window_sec int not null default 10 check (hash_drop_window_sec >= 1),
  meta                 jsonb not null default '{}',
  created_at           timestamptz not null default now(),
  updated_at           timestamptz not null default now(),
  primary key (workspace_id, endpoint_id)
);
-- One active endpoint per secret, and the way ingress finds it; disabled rows stay as history.
create unique index workspace_endpoints_active_secret on delivery.workspace_endpoints (kind, secret_hash) where enabled;

-- The token bucket of each endpoint, apart from its configuration because it changes with every request.
create table delivery.ingress_buckets (
  workspace_id uuid not null,
  endpoint_id  uuid not null,
  tokens       double precision not null,
  refilled_at  timestamptz not null,
  primary key (workspace_id, endpoint_id),
  foreign key (workspace_id, endpoint_id) references delivery.workspace_endpoints on delete cascade
) with (fillfactor = 50);

-- Channels ----------------------------------------------------------------------------------------------------------

create table delivery.channels (
  workspace_id    uuid not null references workspaces.workspaces on delete cascade,
  channel_id      uuid not null default molva.uuidv7(),
  platform        text not null,
  target_id       text not null check (target_id <> ''),
  auth_ref        text not null check (auth_ref <> ''),
  rate_group      text not null check (rate_group <> ''),
  enabled         boolean not null default true,
  title           text,
  send_mode       text not null default 'mixed' check (send_mode in ('text', 'media', 'mixed')),
  rate_rps        numeric default 1 check (rate_rps >= 0),
  max_parallel    int not null default 1 check (max_parallel >= 1),
  next_allowed_at timestamptz,
  paused_until    timestamptz,
  timezone        text,
  window_mode     text not null default 'immediate' check (window_mode in ('immediate', 'windowed')),
  posting_window  jsonb,
  dedup_ttl_hours int default 168 check (dedup_ttl_hours >= 0),
  error_streak    int not null default 0 check (error_streak >= 0),
  unknown_policy  text not null default 'at_least_once' check (unknown_policy in ('at_least_once', 'at_most_once')),
  settings        jsonb not null default '{}' check (jsonb_typeof(settings) = 'object'),
  tags            text[] not null default '{}',
  route_filter    jsonb check (route_filter is null or jsonb_typeof(route_filter) = 'object'),
  -- Channels with the same profile get the same compiled post, so it is compiled once for all of them.
  profile_key     text not null generated always as (md5(platform || '|' || send_mode || '|' || settings::text)) stored,
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  primary key (workspace_id, channel_id),
  unique (workspace_id, platform, target_id)
) with (fillfactor = 70);
create index channels_enabled on delivery.channels (workspace_id, enabled);
create index channels_tags on delivery.channels using gin (tags);

create table delivery.channel_auth (
  workspace_id uuid not null,
  channel_id   uuid not null,
  auth_ref     text not null,
  rotated_at   timestamptz not null default now(),
  updated_at   timestamptz not null default now(),
  primary key (workspace_id, channel_id),
  foreign key (workspace_id, channel_id) references delivery.channels on delete cascade
);

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

create table delivery.platform_limits (
  workspace_id    uuid not null references workspaces.workspaces on delete cascade,
  platform        text not null,
  rate_group      text not null,
  rate_rps        numeric check (rate_rps >= 0),
  next_allowed_at timestamptz,
  -- No delivery of the group starts before this, even when the group has no rate.
  cooldown_until  timestamptz,
  updated_at      timestamptz not null default now(),
  primary key (workspace_id, platform, rate_group)
) with (fillfactor = 70);

-- Messages and media ------------------------------------------------------------------------------------------------

create table delivery.messages (
  workspace_id          uuid not null references workspaces.workspaces on delete cascade,
  message_id            uuid not null default molva.uuidv7(),
  hash_version          int not null default 1,
  content_hash          text not null,
  normalization_version int not null default 1,
  payload               jsonb not null,
  tags                  text[] not null default '{}',
  source                jsonb,
  source_ref            text,
  first_seen_trace_id   text,
  first_ingest_run_id   text,
  last_seen_at          timestamptz not null default now(),
  last_ingest_run_id    text,
  seen_count            bigint not null default 1,
  created_at            timestamptz not null default now(),
  primary key (workspace_id, message_id),
  unique (workspace_id, hash_version, content_hash)
);
create index messages_by_time on delivery.messages (workspace_id, created_at);
create index messages_tags on delivery.messages using gin (tags);

create table delivery.media_origin (
  workspace_id uuid not null references workspaces.workspaces on delete cascade,
  blob_ref     text not null,
  origin_url   text not null,
  sha256       text,
  content_type text,
  size_bytes   bigint,
  last_seen_at timestamptz not null default now(),
  ref_count    bigint not null default 0,
  created_at   timestamptz not null default now(),
  primary key (workspace_id, blob_ref)
);

create table delivery.media_blobs (
  workspace_id uuid not null references workspaces.workspaces on delete cascade,
  blob_ref     text not null,
  provider     text not null,
  file_id      text,
  url          text,
  expires_at   timestamptz,
  meta         jsonb,
  created_at   timestamptz not null default now(),
  updated_at   timestamptz not null default now(),
  primary key (workspace_id, blob_ref, provider)
);

-- Deliveries --------------------------------------------------------------------------------------------------------

create table delivery.deliveries (
  workspace_id        uuid not null,
  delivery_id         uuid not null default molva.uuidv7(),
  message_id          uuid not null,
  channel_id          uuid not null,
  hash_version        int not null,
  content_hash        text not null,
  not_before          timestamptz not null default now(),
  scheduled_for       timestamptz,
  status              text not null check (status in
                        ('queued', 'claimed', 'sending', 'sent', 'retry', 'deduped', 'failed_permanent', 'dead')),
  priority            int not null default 100,
  attempt             int not null default 0 check (attempt >= 0),
  requeues            int not null default 0 check (requeues >= 0),
  next_retry_at       timestamptz,
  held_at             timestamptz,
  hold_reason         text,
  provider_message_id text,
  sent_at             timestamptz,
  last_error          jsonb,
  rendered_text       text,
  render_meta         jsonb not null default '{}',
  provider_meta       jsonb,
  template_version    text,
  trace_id            text,
  enqueue_batch_id    uuid,
  claimed_at          timestamptz,
  claim_token         text,
  sending_started_at  timestamptz,
  created_at          timestamptz not null default now(),
  updated_at          timestamptz not null default now(),
  primary key (workspace_id, delivery_id),
  foreign key (workspace_id, channel_id) references delivery.channels on delete cascade,
  foreign key (workspace_id, message_id) references delivery.messages on delete cascade,
  constraint sent_has_time check (status <> 'sent' or sent_at is not null),
  constraint retry_has_time check (status <> 'retry' or next_retry_at is not null),
  constraint token_only_while_taken check ((claim_token is not null) = (status in ('claimed', 'sending'))),
  constraint hold_has_reason check ((held_at is null) = (hold_reason is null))
);
-- Allocation: a channel's oldest waiting deliveries.
create index deliveries_waiting on delivery.deliveries (workspace_id, channel_id, priority, created_at)
  where status in ('queued', 'retry');
create index deliveries_retry on delivery.deliveries (workspace_id, status, next_retry_at)
  where status in ('queued', 'claimed', 'sending', 'retry');
create index deliveries_due on delivery.deliveries (workspace_id, status, not_before, next_retry_at)
  where status in ('queued', 'claimed', 'sending', 'retry');
-- Dedup window, inflight guard, and the audit look-up.
create index deliveries_sent on delivery.deliveries (workspace_id, channel_id, hash_version, content_hash, sent_at)
  where status = 'sent' and sent_at is not null;
create index deliveries_inflight on delivery.deliveries (workspace_id, channel_id, hash_version, content_hash, created_at)
  where status in ('queued', 'claimed', 'sending', 'retry');
create index deliveries_by_message on delivery.deliveries (workspace_id, message_id);
create unique index deliveries_once_per_batch
  on delivery.deliveries (workspace_id, enqueue_batch_id, channel_id, hash_version, content_hash)
  where enqueue_batch_id is not null;

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
  primary key (workspace_id, ts, id)
) partition by range (ts);
create table workspaces.events_rest partition of workspaces.events default;
create index events_by_time on workspaces.events (workspace_id, ts desc);
create index events_by_action on workspaces.events (workspace_id, action, ts desc);
create index events_by_result on workspaces.events (workspace_id, result, ts desc);
create index events_by_delivery on workspaces.events (workspace_id, delivery_id, ts desc) where delivery_id is not null;
create index events_by_message on workspaces.events (workspace_id, message_id, ts desc) where message_id is not null;
create index events_by_channel on workspaces.events (workspace_id, channel_id, ts desc) where channel_id is not null;

-- Ingest ------------------------------------------------------------------------------------------------------------

create table delivery.ingest_runs (
  workspace_id uuid not null references workspaces.workspaces on delete cascade,
  run_id       text not null,
  kind         text not null check (kind in ('push', 'pull')),
  endpoint_id  uuid,
  started_at   timestamptz not null default now(),
  finished_at  timestamptz,
  stats_json   jsonb not null default '{}',
  primary key (workspace_id, run_id)
);

create table delivery.ingress_receipts (
  workspace_id  uuid not null references workspaces.workspaces on delete cascade,
  receipt_id    uuid not null default molva.uuidv7(),
  endpoint_id   uuid not null,
  endpoint_kind text not null check (endpoint_kind in ('webhook_push', 'bot_webhook')),
  source_ref    text,
  payload_hash  text not null,
  received_at   timestamptz not null default now(),
  expires_at    timestamptz not null,
  primary key (workspace_id, receipt_id)
);
create unique index ingress_receipts_source on delivery.ingress_receipts (workspace_id, endpoint_id, source_ref)
  where source_ref is not null;
create index ingress_receipts_hash on delivery.ingress_receipts (workspace_id, endpoint_id, payload_hash, received_at desc);
create index ingress_receipts_expiry on delivery.ingress_receipts (expires_at);

-- Where the dispatchers' round through the workspaces stands.
create table delivery.dispatcher_state (
  only_row           boolean primary key default true check (only_row),
  workspace_id_last  uuid,
  updated_at         timestamptz not null default now()
);
insert into delivery.dispatcher_state default values;

-- Row security: the owner passes through it, everyone else sees nothing -----------------------------------------------

do $$
declare
  t record;
begin
  for t in select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('workspaces', 'delivery') loop
    execute format('alter table %s enable row level security', t.name);
  end loop;
end
$$;
