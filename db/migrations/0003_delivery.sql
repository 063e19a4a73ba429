-- Everything that goes out to a channel: doors and sources, channels and their limits, messages and media, deliveries, and
-- what the monitor and retention need. Functions that use these tables live in db/functions/delivery.

create schema delivery;
comment on schema delivery is 'Everything that goes out to a channel: posts, their deliveries, and what happened to them';

-- While a table is small its indexes look equally good, and of those the planner takes the one made last, in plans that
-- it keeps for as long as the connection lives. So the primary keys of channels, messages and deliveries are made after the
-- indexes that might stand in their place: rows are found and foreign keys are checked through them from the first row on,
-- long before there are statistics. The order of indexes in this file is the order in which they are preferred, the last
-- one first; src/delivery/plans.test.ts watches it.

-- Routing -----------------------------------------------------------------------------------------------------------

-- The tags of one key of a route filter, folded, sorted, each once. Here and not among the functions: columns need it.
create function delivery.filter_tags(p_filter jsonb, p_key text) returns text[]
language sql immutable parallel safe as $$
  select coalesce(array_agg(distinct tag order by tag), '{}')
  from (
    select lower(btrim(element) collate "und-x-icu") as tag
    from jsonb_array_elements_text(
      case when jsonb_typeof(p_filter -> p_key) = 'array' then p_filter -> p_key else '[]' end) as element
  ) as tags
  where tag <> ''
$$;

-- Under which keys a channel is found: each of its include_any tags; else the first of include_all, which any match must
-- have; else "takes everything". The workspace stands in the key, so that one index serves all tenants.
create function delivery.route_keys(p_workspace_id uuid, p_filter jsonb) returns text[]
language sql immutable parallel safe as $$
  select array_agg(p_workspace_id || ' ' || key)
  from unnest(case
    when delivery.filter_tags(p_filter, 'include_any') <> '{}' then delivery.filter_tags(p_filter, 'include_any')
    when delivery.filter_tags(p_filter, 'include_all') <> '{}' then (delivery.filter_tags(p_filter, 'include_all'))[1:1]
    else array['*']
  end) as key
$$;

-- Channels ----------------------------------------------------------------------------------------------------------

-- Tags are spelt without `#`, in small letters: delivery.tag_of.
create table delivery.channels (
  workspace_id          uuid not null references workspaces.workspaces on delete cascade,
  channel_id            uuid not null default molva.uuidv7(),
  platform              text not null,
  -- One chat is one channel: targets are kept in one form, see delivery.keep_target_in_form.
  target_id             text not null check (target_id <> ''),
  -- The @name by which a chat was found whose number is kept in target_id.
  target_name           text,
  -- Several channels of a chat are there only where somebody asked for them.
  allow_duplicate       boolean not null default false,
  title                 text,
  enabled               boolean not null default true,
  auth_ref              text not null check (auth_ref <> ''),
  tags                  text[] not null default '{}',
  settings              jsonb not null default '{}' check (jsonb_typeof(settings) = 'object'),

  send_mode             text not null default 'mixed' check (send_mode in ('text', 'media', 'mixed')),
  template_ref          text,
  -- Channels with the same profile get the same compiled post, so it is compiled once for all of them. The template decides
  -- what is sent, so channels with different templates have different profiles.
  profile_key           text not null
    generated always as (md5(platform || '|' || send_mode || '|' || settings::text || '|' || coalesce(template_ref, ''))) stored,

  route_filter          jsonb check (route_filter is null or jsonb_typeof(route_filter) = 'object'),
  route_any             text[] not null generated always as (delivery.filter_tags(route_filter, 'include_any')) stored,
  route_all             text[] not null generated always as (delivery.filter_tags(route_filter, 'include_all')) stored,
  route_none            text[] not null generated always as (delivery.filter_tags(route_filter, 'exclude')) stored,
  route_keys            text[] not null generated always as (delivery.route_keys(workspace_id, route_filter)) stored,

  rate_group            text not null check (rate_group <> ''),
  rate_rps              numeric default 1 check (rate_rps >= 0),
  max_parallel          int not null default 1 check (max_parallel >= 1),
  next_allowed_at       timestamptz,
  -- When the channel's last send began: sends of a limited channel keep their distance from it, however late it was.
  last_started_at       timestamptz,

  timezone              text,
  window_mode           text not null default 'immediate' check (window_mode in ('immediate', 'windowed')),
  posting_window        jsonb,
  -- A post older than this when its turn comes is dropped, or held for a person.
  max_age_seconds       int check (max_age_seconds > 0),
  on_stale              text not null default 'drop' check (on_stale in ('drop', 'hold')),
  -- After an outage: oldest first at the channel's pace, or what is new before what is old.
  catchup               text not null default 'paced' check (catchup in ('paced', 'newest_first')),
  -- An alarm when nothing was sent for this long while the channel's window was open.
  silence_after_seconds int check (silence_after_seconds > 0),

  dedup_ttl_hours       int default 168 check (dedup_ttl_hours >= 0),
  unknown_policy        text not null default 'at_least_once' check (unknown_policy in ('at_least_once', 'at_most_once')),
  paused_until          timestamptz,
  error_streak          int not null default 0 check (error_streak >= 0),
  -- How patient the channel is with refusals, when not as its workspace: delivery.policy_of has the workspace's answer.
  pause_on_permanent_seconds     int check (pause_on_permanent_seconds between 60 and 604800),
  disable_after_permanent_streak int check (disable_after_permanent_streak between 1 and 1000),

  created_at            timestamptz not null default now(),
  updated_at            timestamptz not null default now(),
  unique (workspace_id, platform, target_id)
) with (fillfactor = 70);
create index channels_enabled on delivery.channels (workspace_id, enabled);
create index channels_tags on delivery.channels using gin (tags);
create index channels_route on delivery.channels using gin (route_keys) where enabled;
create index channels_rate_group on delivery.channels (workspace_id, platform, rate_group);
alter table delivery.channels add primary key (workspace_id, channel_id);
create index channels_watched_for_silence on delivery.channels (workspace_id, channel_id)
  where silence_after_seconds is not null;

create table delivery.channel_auth (
  workspace_id uuid not null,
  channel_id   uuid not null,
  auth_ref     text not null,
  rotated_at   timestamptz not null default now(),
  updated_at   timestamptz not null default now(),
  primary key (workspace_id, channel_id),
  foreign key (workspace_id, channel_id) references delivery.channels on delete cascade
);

create table delivery.platform_limits (
  workspace_id    uuid not null references workspaces.workspaces on delete cascade,
  platform        text not null,
  rate_group      text not null,
  rate_rps        numeric check (rate_rps >= 0),
  next_allowed_at timestamptz,
  -- When the group's last request left: requests of a limited group keep their distance from it, however late it was.
  last_started_at timestamptz,
  -- No delivery of the group starts before this, even when the group has no rate.
  cooldown_until  timestamptz,
  updated_at      timestamptz not null default now(),
  primary key (workspace_id, platform, rate_group)
) with (fillfactor = 70);

create table delivery.templates (
  workspace_id uuid not null references workspaces.workspaces on delete cascade,
  template_id  text not null check (template_id ~ '^[a-z0-9][a-z0-9_-]{0,63}$'),
  version      int not null check (version >= 1),
  body         text not null,
  defaults     jsonb not null default '{}' check (jsonb_typeof(defaults) = 'object'),
  active       boolean not null default false,
  created_at   timestamptz not null default now(),
  primary key (workspace_id, template_id, version)
);
create unique index templates_active on delivery.templates (workspace_id, template_id) where active;

-- Sources that are asked instead of waited for: feeds, JSON APIs, tables of other databases ---------------------------

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

-- Doors through which posts come in -----------------------------------------------------------------------------------

-- The door of a source has no secret, because nobody knocks.
create table delivery.workspace_endpoints (
  workspace_id         uuid not null references workspaces.workspaces on delete cascade,
  endpoint_id          uuid not null default molva.uuidv7(),
  kind                 text not null check (kind in ('webhook_push', 'bot_webhook', 'pull_source')),
  secret_hash          text check (secret_hash ~ '^[0-9a-f]{64}$'),
  source_id            text,
  enabled              boolean not null default true,
  ingress_rps          numeric not null default 5 check (ingress_rps >= 0),
  max_payload_bytes    int not null default 262144 check (max_payload_bytes >= 0),
  hash_drop_window_sec int not null default 10 check (hash_drop_window_sec >= 1),
  meta                 jsonb not null default '{}',
  created_at           timestamptz not null default now(),
  updated_at           timestamptz not null default now(),
  primary key (workspace_id, endpoint_id),
  foreign key (workspace_id, source_id) references delivery.pull_sources on delete cascade,
  constraint source_or_secret check (
    case kind when 'pull_source' then source_id is not null and secret_hash is null
              else source_id is null and secret_hash is not null end)
);
-- One active endpoint per secret, and the way ingress finds it; disabled rows stay as history.
create unique index workspace_endpoints_active_secret on delivery.workspace_endpoints (kind, secret_hash) where enabled;
create unique index workspace_endpoints_active_source on delivery.workspace_endpoints (workspace_id, source_id)
  where enabled and source_id is not null;

-- The token bucket of each endpoint, apart from its configuration because it changes with every request.
create table delivery.ingress_buckets (
  workspace_id uuid not null,
  endpoint_id  uuid not null,
  tokens       double precision not null,
  refilled_at  timestamptz not null,
  primary key (workspace_id, endpoint_id),
  foreign key (workspace_id, endpoint_id) references delivery.workspace_endpoints on delete cascade
) with (fillfactor = 50);

create table delivery.ingest_runs (
  workspace_id uuid not null references workspaces.workspaces on delete cascade,
  run_id       text not null,
  kind         text not null check (kind in ('push', 'pull')),
  endpoint_id  uuid,
  source_id    text,
  trace_ids    text[] not null default '{}',
  started_at   timestamptz not null default now(),
  finished_at  timestamptz,
  stats_json   jsonb not null default '{}',
  primary key (workspace_id, run_id)
);
create index ingest_runs_by_source on delivery.ingest_runs (workspace_id, source_id, started_at desc)
  where source_id is not null;
create index ingest_runs_by_time on delivery.ingest_runs (workspace_id, started_at);

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

-- Messages and media ------------------------------------------------------------------------------------------------

create table delivery.messages (
  workspace_id        uuid not null references workspaces.workspaces on delete cascade,
  message_id          uuid not null default molva.uuidv7(),
  hash_version        int not null default 1,
  content_hash        text not null,
  payload             jsonb not null,
  tags                text[] not null default '{}',
  source              jsonb,
  source_ref          text,
  first_seen_trace_id text,
  first_ingest_run_id text,
  last_seen_at        timestamptz not null default now(),
  last_ingest_run_id  text,
  seen_count          bigint not null default 1,
  created_at          timestamptz not null default now(),
  unique (workspace_id, hash_version, content_hash)
);
create index messages_by_time on delivery.messages (workspace_id, created_at);
create index messages_tags on delivery.messages using gin (tags);
alter table delivery.messages add primary key (workspace_id, message_id);
-- Which messages use a blob. Only messages with media pay for it.
create index messages_blobs on delivery.messages
  using gin ((jsonb_path_query_array(payload, '$.media[*].blob_ref')) jsonb_path_ops)
  where payload ? 'media';

-- Files kept in object storage: where each came from and what it is. No foreign key: a deleted workspace's rows stay until
-- their objects are deleted, or nobody would know of them any more.
create table delivery.media_origin (
  workspace_id uuid not null,
  blob_ref     text not null,
  origin_url   text not null,
  -- Where it was fetched from; null for a file that was stored by its owner and cannot be fetched again.
  source_url   text,
  sha256       text,
  content_type text,
  size_bytes   bigint,
  file_name    text,
  width        int,
  height       int,
  last_seen_at timestamptz not null default now(),
  ref_count    bigint not null default 0,
  -- Null until the object is stored: the row is written first.
  fetched_at   timestamptz,
  -- Until when nobody but a post that needs it at once has to fetch it; without end once it is gone.
  fetch_after  timestamptz not null default '-infinity',
  created_at   timestamptz not null default now(),
  primary key (workspace_id, blob_ref)
);
create index media_origin_unreferenced on delivery.media_origin (workspace_id, blob_ref) where ref_count = 0;
-- Files that posts have named and that are not in our storage yet, by workspace: workspaces take turns in having theirs
-- fetched.
create index media_origin_expected on delivery.media_origin (workspace_id, fetch_after) where origin_url not like 'storage:%';

-- What each messenger calls a file.
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

-- One process at a time fetches a file, and one at a time uploads it to an account; `purpose` says which. A claim that was
-- not renewed is free again: its holder has died.
create table delivery.media_claims (
  workspace_id uuid not null,
  blob_ref     text not null,
  purpose      text not null,
  holder       uuid not null,
  expires_at   timestamptz not null,
  primary key (workspace_id, blob_ref, purpose)
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
  attempt             int not null default 0 check (attempt >= 0),
  requeues            int not null default 0 check (requeues >= 0),
  next_retry_at       timestamptz,
  -- When a waiting delivery may be claimed at the earliest. Within a channel this is the order, so no priority besides it.
  due_at              timestamptz not null
    generated always as (greatest(not_before, coalesce(next_retry_at, not_before))) stored,
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
  claimed_at          timestamptz,
  claim_token         text,
  sending_started_at  timestamptz,
  created_at          timestamptz not null default now(),
  updated_at          timestamptz not null default now(),
  foreign key (workspace_id, channel_id) references delivery.channels on delete cascade,
  foreign key (workspace_id, message_id) references delivery.messages on delete cascade,
  constraint sent_has_time check (status <> 'sent' or sent_at is not null),
  constraint retry_has_time check (status <> 'retry' or next_retry_at is not null),
  constraint token_only_while_taken check ((claim_token is not null) = (status in ('claimed', 'sending'))),
  constraint hold_has_reason check ((held_at is null) = (hold_reason is null))
);
-- A delivery is written four times on its way, and each time every index gets an entry. Indexes that keep its place have room
-- for all four (fillfactor), so that nothing has to be split or tidied up while it is under way. Those that hold only what
-- waits or is under way are emptied as fast as they are filled: merging equal keys (deduplicate_items) is work for nothing.
create index deliveries_due on delivery.deliveries (workspace_id, status, not_before, next_retry_at)
  with (deduplicate_items = off)
  where status in ('queued', 'claimed', 'sending', 'retry');
-- Dedup window, inflight guard, and the audit look-up.
create index deliveries_sent on delivery.deliveries (workspace_id, channel_id, hash_version, content_hash, sent_at)
  where status = 'sent' and sent_at is not null;
create index deliveries_inflight on delivery.deliveries (workspace_id, channel_id, hash_version, content_hash, created_at)
  with (fillfactor = 50, deduplicate_items = off)
  where status in ('queued', 'claimed', 'sending', 'retry');
-- Allocation: which channels have something waiting, and a channel's next ones in order.
create index deliveries_waiting on delivery.deliveries (workspace_id, channel_id, due_at, delivery_id)
  with (deduplicate_items = off)
  where status in ('queued', 'retry') and held_at is null;
-- Starting: which channels have something claimed, and a channel's next slots in order.
create index deliveries_claimed on delivery.deliveries (workspace_id, channel_id, not_before, delivery_id)
  with (deduplicate_items = off)
  where status = 'claimed';
create index deliveries_audit on delivery.deliveries (workspace_id, channel_id, hash_version, content_hash)
  where status in ('sent', 'deduped');
-- Only what has a time to be tried again: everything else would come into it and leave it for nothing.
create index deliveries_retry on delivery.deliveries (workspace_id, status, next_retry_at) where next_retry_at is not null;
alter table delivery.deliveries
  add primary key (workspace_id, delivery_id) with (fillfactor = 25, deduplicate_items = off);
create index deliveries_dead on delivery.deliveries (workspace_id) where status = 'dead';
-- A channel's history, newest last: ids sort by time. It needs only how a delivery ended; what is still on its way is found by
-- deliveries_inflight. "Is true" keeps the index for those who ask in the same words: without statistics it would look good
-- to anybody who asks for one of these states, and he would read all of the channel's history.
create index deliveries_ended on delivery.deliveries (workspace_id, channel_id, delivery_id)
  where (status in ('sent', 'deduped', 'failed_permanent', 'dead')) is true;
-- A delivery's message is only ever looked up as itself, never in an order. A hash finds it with less work than a tree, and the
-- four entries that a delivery gets on its way stand in one place with those of the same post.
create index deliveries_by_message on delivery.deliveries using hash (message_id);

-- What the functions of the queue answer with. Types, because several functions answer with the same columns.

-- A delivery that is being sent, with all that its adapter needs. Its request may not leave before `departs_at`, nor sooner
-- than `gap_ms` after the last one of its channel.
create type delivery.started_delivery as (
  workspace_id   uuid,
  delivery_id    uuid,
  claim_token    text,
  attempt        int,
  message_id     uuid,
  channel_id     uuid,
  platform       text,
  target_id      text,
  send_mode      text,
  settings       jsonb,
  secret_ref     text,
  unknown_policy text,
  payload        jsonb,
  rendered_text  text,
  render_meta    jsonb,
  last_error     jsonb,
  created_at     timestamptz,
  trace_id       text,
  departs_at     timestamptz,
  gap_ms         float8
);

-- What became of a delivery whose attempt has ended; not `applied` when its token no longer fits.
create type delivery.settled_delivery as (
  delivery_id   uuid,
  applied       boolean,
  status        text,
  next_retry_at timestamptz
);

-- What was taken back from a process that is gone: the status it had and the one it has now.
create type delivery.recovered_delivery as (
  workspace_id uuid,
  delivery_id  uuid,
  was          text,
  status       text
);

-- How an attempt ended, read from what its sender said, and what follows for its delivery: see delivery.judge_outcomes.
create type delivery.judged_outcome as (
  delivery_id         uuid,
  channel_id          uuid,
  message_id          uuid,
  attempt             int,
  kind                text,
  error               jsonb,
  provider_message_id text,
  meta                jsonb,
  reconciled          text,
  payload_ref         text,
  late                interval,
  new_status          text,
  retry_at            timestamptz
);

-- Dispatchers -------------------------------------------------------------------------------------------------------

-- Where the dispatchers' round through the workspaces stands.
create table delivery.dispatcher_state (
  only_row           boolean primary key default true check (only_row),
  workspace_id_last  uuid,
  updated_at         timestamptz not null default now()
);
insert into delivery.dispatcher_state default values;

-- With more waiting channels than one claim takes, where the next claim goes on.
create table delivery.claim_marks (
  workspace_id uuid primary key references workspaces.workspaces on delete cascade,
  channel_id   uuid not null
);

-- Dispatchers that have joined the queue. Each holds an advisory lock over a connection of its own for as long as it lives; a
-- run whose lock nobody holds is gone, and what it had in hand is taken over. A sender that never joined is left to its leases.
create table delivery.dispatcher_runs (
  run_id        text primary key,
  joined_at     timestamptz not null default now(),
  -- Since when other dispatchers have found its lock free, and when one of them looked last.
  missing_since timestamptz,
  missed_at     timestamptz,
  constraint missing_has_both check ((missing_since is null) = (missed_at is null))
);

-- Calls of an adapter over HTTP. A call that is repeated is answered from here and not sent again; what became of one whose
-- answer was lost is looked up before anything is sent.
create table delivery.adapter_calls (
  workspace_id  uuid not null references workspaces.workspaces on delete cascade,
  -- The claim token of a started delivery, or the caller's idempotency key.
  call_key      text not null,
  channel_id    uuid not null,
  -- Of what was to be sent; null for a delivery, whose post is stored.
  body_hash     text,
  started_at    timestamptz not null,
  -- Until then nobody else may go on with it.
  running_until timestamptz not null,
  -- Provider ids of the acknowledged parts of a series, by index.
  progress      jsonb not null default '[]',
  -- The answer that was given, without the provider's own words; null while it runs, or when its process died.
  answer        jsonb,
  primary key (workspace_id, call_key)
);
create index adapter_calls_by_age on delivery.adapter_calls (started_at);

-- Raw payloads behind `events.payload_ref`. The raw itself lies encrypted in object storage under `storage_key`. No foreign
-- key, for the same reason as media_origin.
create table delivery.payloads (
  workspace_id uuid not null,
  payload_ref  uuid not null default molva.uuidv7(),
  storage_key  text not null,
  kind         text not null check (kind in ('provider_answer', 'ingress_body')),
  size_bytes   bigint not null check (size_bytes >= 0),
  sha256       text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  created_at   timestamptz not null default now(),
  expires_at   timestamptz not null check (expires_at > created_at or expires_at = '-infinity'),
  primary key (workspace_id, payload_ref)
);
create index payloads_expiry on delivery.payloads (expires_at, payload_ref);

-- The monitor: when to tell ---------------------------------------------------------------------------------------------

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

-- Row security: the owner passes through it, everyone else sees nothing -----------------------------------------------

do $$
declare
  t record;
begin
  for t in select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = 'delivery' loop
    execute format('alter table %s enable row level security', t.name);
  end loop;
end
$$;
