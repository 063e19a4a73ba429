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
alter table delivery.dispatcher_runs enable row level security;
