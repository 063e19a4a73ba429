-- Raw payloads behind `events.payload_ref`, and what retention and the collection of media need.

-- The raw itself lies encrypted in object storage under `storage_key`. No foreign key: a deleted workspace's rows stay
-- until their objects are deleted, or nobody would know of them any more.
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
alter table delivery.payloads enable row level security;

-- For the same reason media outlive their workspace until they are collected.
alter table delivery.media_origin drop constraint media_origin_workspace_id_fkey;
create index media_origin_unreferenced on delivery.media_origin (workspace_id, blob_ref) where ref_count = 0;

-- Which messages use a blob. Only messages with media pay for it.
create index messages_blobs on delivery.messages
  using gin ((jsonb_path_query_array(payload, '$.media[*].blob_ref')) jsonb_path_ops)
  where payload ? 'media';

create index ingest_runs_by_time on delivery.ingest_runs (workspace_id, started_at);
