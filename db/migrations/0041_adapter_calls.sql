-- Calls of an adapter over HTTP. A call that is repeated is answered from here and not sent again; what became of one whose
-- answer was lost is looked up before anything is sent.
create table delivery.adapter_calls (
  workspace_id uuid not null references workspaces.workspaces on delete cascade,
  -- The claim token of a started delivery, or the caller's idempotency key.
  call_key     text not null,
  channel_id   uuid not null,
  -- Of what was to be sent; null for a delivery, whose post is stored.
  body_hash    text,
  started_at   timestamptz not null,
  -- Until then nobody else may go on with it.
  running_until timestamptz not null,
  -- Provider ids of the acknowledged parts of a series, by index.
  progress     jsonb not null default '[]',
  -- The answer that was given, without the provider's own words; null while it runs, or when its process died.
  answer       jsonb,
  primary key (workspace_id, call_key)
);
create index adapter_calls_by_age on delivery.adapter_calls (started_at);
alter table delivery.adapter_calls enable row level security;
