-- When the group's last request left: requests of a limited group keep their distance from it, however late it was.
alter table delivery.platform_limits add last_started_at timestamptz;

-- With more waiting channels than one claim takes, where the next claim goes on.
create table delivery.claim_marks (
  workspace_id uuid primary key references workspaces.workspaces on delete cascade,
  channel_id   uuid not null
);
alter table delivery.claim_marks enable row level security;

-- Replaced by functions with other arguments or names.
drop function if exists delivery.next_due_at(uuid, timestamptz);
drop function if exists delivery.waiting_channels(uuid, timestamptz);
drop function if exists delivery.take_turn(uuid, uuid, timestamptz);
drop function if exists delivery.retry_delay(int, jsonb, double precision);
drop function if exists delivery.take_turn(uuid, uuid, text, timestamptz);
drop function if exists delivery.release_stale(uuid, uuid[], timestamptz);
