-- Who signed in, who changed what, who read personal data: apart from delivery events, with a retention of its own, and chained by
-- hashes so that a change or a gap shows. See docs/guide/audit.md. Nothing but the functions of db/functions/audit writes here.

create schema audit;
comment on schema audit is 'Sign-ins, changes and readings, chained by hashes';

-- One chain for each workspace, and one for the installation itself, whose id is all zeros. No column is called workspace_id and
-- none refers to a workspace: a chain outlives its workspace until its retention ends.
create table audit.chains (
  chain_id    uuid   primary key,
  last_seq    bigint not null default 0 check (last_seq >= 0),
  last_hash   text   not null default repeat('0', 64) check (length(last_hash) = 64),
  -- The last entry that retention removed: the first one that is left continues from it.
  purged_seq  bigint not null default 0 check (purged_seq between 0 and last_seq),
  purged_hash text   not null default repeat('0', 64) check (length(purged_hash) = 64)
);

create table audit.entries (
  chain_id     uuid        not null,
  -- Without gaps, in the order of commits.
  seq          bigint      not null check (seq > 0),
  at           timestamptz not null,
  actor_kind   text        not null check (actor_kind in ('operator', 'token', 'command', 'system', 'anonymous')),
  actor_id     text        check (length(actor_id) <= 200),
  action       text        not null check (length(action) between 1 and 100),
  subject_kind text        check (length(subject_kind) <= 100),
  subject_id   text        check (length(subject_id) <= 300),
  result       text        not null check (result in ('ok', 'refused')),
  address      text        check (length(address) <= 100),
  meta         jsonb       not null check (jsonb_typeof(meta) = 'object'),
  prev_hash    text        not null,
  -- SHA-256 of audit.line, which has all of the above.
  hash         text        not null,
  primary key (chain_id, seq),
  check ((subject_kind is null) = (subject_id is null))
);
create index entries_by_time on audit.entries (at, chain_id, seq);
create index entries_of_chain on audit.entries (chain_id, at, seq);

-- Entries of transactions that have not ended: they are chained at the commit, so that no chain is locked before it. A committed
-- row here would be a bug.
create table audit.pending (
  txid         xid8        not null default pg_current_xact_id(),
  place        bigint      generated always as identity,
  chain_id     uuid        not null,
  at           timestamptz not null,
  actor_kind   text        not null,
  actor_id     text,
  action       text        not null,
  subject_kind text,
  subject_id   text,
  result       text        not null,
  address      text,
  meta         jsonb       not null,
  primary key (txid, place)
);

-- The ends of all chains at some time, signed with a key that the database does not have. `body` is kept as text: exactly it is signed.
create table audit.seals (
  seal_id   bigint      generated always as identity primary key,
  sealed_at timestamptz not null,
  body      text        not null,
  key_id    text        not null,
  signature text        not null
);

alter table audit.chains  enable row level security;
alter table audit.entries enable row level security;
alter table audit.pending enable row level security;
alter table audit.seals   enable row level security;
