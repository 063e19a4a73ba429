-- Posts that name their channels instead of being routed, and channels that take no others: connections of products' users.

-- A connection belongs to one user of one product, who knows it by a key of the product's own. Its refusals are the user's to
-- mend, not an operator's: it is not paused, its state says that it failed and why.
alter table delivery.channels
  add column addressed_only boolean not null default false,
  add column owner_product text check (owner_product <> ''),
  add column owner_user text check (owner_user <> ''),
  add column connection_key text check (connection_key <> ''),
  add column connection_state text not null default 'active' check (connection_state in ('active', 'error')),
  add column connection_error jsonb,
  add constraint connection_has_owner check (
    num_nonnulls(owner_product, owner_user, connection_key) = case when addressed_only then 3 else 0 end),
  add constraint connection_error_has_reason check ((connection_state = 'error') = (connection_error is not null)),
  add constraint only_connections_fail check (addressed_only or connection_state = 'active'),
  drop constraint channels_workspace_id_platform_target_id_key;
-- One channel per chat holds for routed ones; two users may have connected the same chat, each with a key of his own.
create unique index channels_workspace_id_platform_target_id_key on delivery.channels (workspace_id, platform, target_id)
  where not addressed_only;
create unique index channels_connection on delivery.channels (workspace_id, owner_product, connection_key) where addressed_only;
create index channels_of_owner on delivery.channels (workspace_id, owner_product, owner_user) where addressed_only;
create index channels_failed_connections on delivery.channels (workspace_id, platform) where connection_state = 'error';
-- Connections have no place in it: however many there are, a routed post does not meet them.
drop index delivery.channels_route;
create index channels_route on delivery.channels using gin (route_keys) where enabled and not addressed_only;

-- Known by the row itself, so that the end of a plain delivery looks nothing up.
alter table delivery.deliveries add column addressed boolean not null default false;

-- What a product was promised with a post: a job when its delivery has ended. (run, step) is how a repeat is recognised. No foreign
-- key: a trigger on deliveries tells the product of a row that goes, and then takes this one with it.
create table delivery.addressed_deliveries (
  workspace_id uuid not null references workspaces.workspaces on delete cascade,
  delivery_id  uuid not null,
  channel_id   uuid not null,
  product      text not null check (product <> ''),
  user_id      text not null check (user_id <> ''),
  run          text not null check (run <> ''),
  step         text not null check (step <> ''),
  -- The job: its task, what the product gave for it, and how often it is tried.
  task         text not null check (task <> ''),
  given        jsonb,
  max_attempts int check (max_attempts > 0),
  -- Until when a person waits for it.
  wait_until   timestamptz,
  -- The end that was told last, and how many were: an operator may send again what has ended.
  told         text,
  told_at      timestamptz,
  times_told   int not null default 0,
  primary key (workspace_id, delivery_id),
  unique (workspace_id, product, run, step, channel_id)
);
create index addressed_deliveries_waited_for on delivery.addressed_deliveries (wait_until)
  where wait_until is not null and told is null;

-- When a user of a product added connections, within the last hour.
create table delivery.connection_pace (
  workspace_id uuid not null references workspaces.workspaces on delete cascade,
  product      text not null,
  user_id      text not null,
  added        timestamptz[] not null,
  primary key (workspace_id, product, user_id)
);

alter type delivery.started_delivery add attribute wait_until timestamptz;

alter table delivery.addressed_deliveries enable row level security;
alter table delivery.connection_pace enable row level security;
