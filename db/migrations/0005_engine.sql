-- What the delivery engine adds: routing by index, posting windows, freshness, templates, deliveries in order of due time.

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

alter table delivery.channels
  add template_ref          text,
  -- A post older than this when its turn comes is dropped, or held for a person.
  add max_age_seconds       int check (max_age_seconds > 0),
  add on_stale              text not null default 'drop' check (on_stale in ('drop', 'hold')),
  -- After an outage: oldest first at the channel's pace, or what is new before what is old.
  add catchup               text not null default 'paced' check (catchup in ('paced', 'newest_first')),
  -- An alarm when nothing was sent for this long while the channel's window was open.
  add silence_after_seconds int check (silence_after_seconds > 0),
  add route_any  text[] not null generated always as (delivery.filter_tags(route_filter, 'include_any')) stored,
  add route_all  text[] not null generated always as (delivery.filter_tags(route_filter, 'include_all')) stored,
  add route_none text[] not null generated always as (delivery.filter_tags(route_filter, 'exclude')) stored,
  add route_keys text[] not null generated always as (delivery.route_keys(workspace_id, route_filter)) stored;
create index channels_route on delivery.channels using gin (route_keys) where enabled;
create index channels_rate_group on delivery.channels (workspace_id, platform, rate_group);

-- The template decides what is sent, so channels with different templates have different profiles.
alter table delivery.channels drop column profile_key;
alter table delivery.channels add profile_key text not null
  generated always as (md5(platform || '|' || send_mode || '|' || settings::text || '|' || coalesce(template_ref, ''))) stored;

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
alter table delivery.templates enable row level security;

alter table workspaces.workspaces
  add updated_at timestamptz not null default now(),
  -- {"deduped_rows": true} keeps a row for each suppressed repeat.
  add settings jsonb not null default '{}' check (jsonb_typeof(settings) = 'object');

-- When the channel's last send began: sends of a limited channel keep their distance from it, however late it was.
alter table delivery.channels add last_started_at timestamptz;

-- When a waiting delivery may be claimed at the earliest. Within a channel this is the order, so no priority besides it.
drop index delivery.deliveries_waiting;
alter table delivery.deliveries
  drop column priority,
  add due_at timestamptz not null generated always as (greatest(not_before, coalesce(next_retry_at, not_before))) stored;
-- Allocation: which channels have something waiting, and a channel's next ones in order.
create index deliveries_waiting on delivery.deliveries (workspace_id, channel_id, due_at, delivery_id)
  where status in ('queued', 'retry') and held_at is null;
-- Starting: which channels have something claimed, and a channel's next slots in order.
create index deliveries_claimed on delivery.deliveries (workspace_id, channel_id, not_before, delivery_id)
  where status = 'claimed';
create index deliveries_audit on delivery.deliveries (workspace_id, channel_id, hash_version, content_hash)
  where status in ('sent', 'deduped');
-- A channel's history, newest last: ids sort by time.
create index deliveries_by_channel on delivery.deliveries (workspace_id, channel_id, delivery_id);

-- Only what has a time to be tried again: everything else would come into it and leave it for nothing.
drop index delivery.deliveries_retry;
create index deliveries_retry on delivery.deliveries (workspace_id, status, next_retry_at) where next_retry_at is not null;
-- The primary key (workspace_id, ts, id), read backwards, is the same.
drop index workspaces.events_by_time;

-- While a table is small its indexes look equally good, and of those the planner takes the one made last, in plans that
-- it keeps for as long as the connection lives. So the primary keys are made last: rows are found and foreign keys are
-- checked through them from the first row on, long before there are statistics.
alter table delivery.channel_auth drop constraint channel_auth_workspace_id_channel_id_fkey;
alter table delivery.deliveries
  drop constraint deliveries_workspace_id_channel_id_fkey,
  drop constraint deliveries_workspace_id_message_id_fkey,
  drop constraint deliveries_pkey,
  add primary key (workspace_id, delivery_id);
alter table delivery.messages drop constraint messages_pkey, add primary key (workspace_id, message_id);
alter table delivery.channels drop constraint channels_pkey, add primary key (workspace_id, channel_id);
alter table delivery.deliveries
  add foreign key (workspace_id, channel_id) references delivery.channels on delete cascade,
  add foreign key (workspace_id, message_id) references delivery.messages on delete cascade;
alter table delivery.channel_auth
  add foreign key (workspace_id, channel_id) references delivery.channels on delete cascade;
