-- Media kept in object storage: where each came from, what it is, and who is fetching or uploading it right now.

alter table delivery.media_origin
  -- Where it was fetched from; null for a file that was stored by its owner and cannot be fetched again.
  add column source_url text,
  add column file_name  text,
  add column width      int,
  add column height     int,
  -- Null until the object is stored: the row is written first.
  add column fetched_at timestamptz,
  -- Until when nobody but a post that needs it at once has to fetch it; without end once it is gone.
  add column fetch_after timestamptz not null default '-infinity';
-- Files that posts have named and that are not in our storage yet.
create index media_origin_expected on delivery.media_origin (fetch_after) where origin_url not like 'storage:%';

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
alter table delivery.media_claims enable row level security;
